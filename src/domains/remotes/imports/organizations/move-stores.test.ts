/** A private repository of GitHub moves in whole: its wiki lies beside it, and its Git LFS objects come by the batch API. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Forge, GitClient, startForge } from '#testing'
import { runCommand } from '#testing/run-command'
import { ApiSource } from '#testing/slices/api-source'
import { get, objectOf, pointerTo, upload } from '#testing/slices/lfs'

const object = objectOf('a picture')
let there: Forge
let forge: Forge
let hub: ApiSource
let folder: string
before(async () => {
  const config = { 'log.level': 'silent', 'outbound.allow_private': true } as const
  there = await startForge({ config })
  // Its answers to batches lead to the forge, which looks up no names.
  Object.assign(there.world.site, { url: there.base })
  await there.person('ann')
  await there.call('ann', 'POST', '/user/repos', { name: 'site', private: true })
  await using client = await GitClient.open(there, 'ann', 'ann/site')
  await upload(there, 'ann', 'ann/site', object)
  await client.commit('picture.bin', pointerTo(object))
  await client.ok('push', '--quiet', 'origin', 'main')
  const page = { title: 'Home', content_base64: btoa('Welcome') }
  assert.equal((await there.call('ann', 'POST', '/repos/ann/site/wiki/new', page)).status, 201)

  forge = await startForge({ config })
  await forge.person('bob')
  hub = await ApiSource.open(there.base, '/api/v3')
  const lists = ['labels', 'milestones', 'issues', 'issues/comments', 'pulls', 'pulls/comments', 'releases']
  hub.reset({
    ...Object.fromEntries(lists.map((list) => [`/repos/acme/site/${list}`, []])),
    '/orgs/acme/repos': [
      { name: 'site', clone_url: `${hub.url}/acme/site.git`, private: true, description: 'A site' },
    ],
  })
  hub.gitPaths = { '/acme/site': '/ann/site' }
  folder = await mkdtemp(join(tmpdir(), 'bloomery-tokens-'))
  await writeFile(join(folder, 'tokens'), there.tokenOf('ann'))
})
after(async () => {
  await hub?.[Symbol.asyncDispose]()
  for (const it of [forge, there]) await it?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('wiki and Git LFS objects of a private repository of GitHub come along', async () => {
  const { code, stderr } = await runCommand(
    forge.world,
    [
      'move-in',
      'github',
      ...['--organization', 'acme', '--into', 'bob', '--api', `${hub.url}/api/v3`],
      ...['--token-file', join(folder, 'tokens')],
    ],
    { 'outbound.allow_private': 'true' },
  )
  assert.equal(code, 0, stderr)
  await forge.runJobs()
  const { status, body } = await forge.call('bob', 'GET', '/repos/bob/site')
  assert.deepEqual([status, body.private, body.description], [200, true, 'A site'])
  const { body: page } = await forge.call('bob', 'GET', '/repos/bob/site/wiki/page/Home')
  assert.equal(atob(page.content_base64), 'Welcome')
  assert.deepEqual((await get(forge, 'bob', 'bob/site', object.oid)).bytes, object.bytes)
})
