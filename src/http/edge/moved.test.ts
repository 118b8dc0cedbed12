/** Renamed resources: the old name redirects to the new one, and never to another host. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  await forge.person('oldie')
  await forge.call('oldie', 'POST', '/user/repos', { name: 'r', auto_init: true })
  await forge.call('root', 'POST', '/admin/users/oldie/rename', { new_username: 'evil.example' })
})
after(() => forge[Symbol.asyncDispose]())

/** Sends the path unnormalized, as no well-behaved client would. */
async function ask(path: string): Promise<IncomingMessage> {
  const asking = request(forge.base, { path })
  asking.end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

test('the old name redirects to the new one and keeps the query', async () => {
  const { statusCode, headers } = await ask('/oldie/r/raw/branch/main/README.md?a=1')
  assert.equal(statusCode, 302)
  assert.equal(headers.location, '/evil.example/r/raw/branch/main/README.md?a=1')
})

for (const start of [
  '//',
  '///',
  '//\\',
  '/\\',
  '\\\\',
  '/%2f',
  '/.//',
  'http://elsewhere.example/',
  'http:///',
])
  for (const rest of ['r/raw/branch/main/README.md', 'r.git/info/refs?service=git-upload-pack'])
    test(`the old name after ${start} redirects to no other host: ${rest}`, async () => {
      const { location } = (await ask(`${start}oldie/${rest}`)).headers
      if (location !== undefined) assert.equal(new URL(location, forge.base).origin, forge.base)
    })
