/** Rate limits: reported with every answer, separate for each visitor, and refused with Retry-After. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { GitClient, startForge } from '#testing'

const forge = await startForge({
  config: {
    'log.level': 'silent',
    'http.nobody_requests_max': 4,
    'http.person_requests_max': 1_000,
    'http.requests_window_s': 600,
  },
})
after(() => forge[Symbol.asyncDispose]())
await forge.person('ann')
await forge.person('bob')

test('every answer reports the remaining quota', async () => {
  const first = await forge.call('ann', 'GET', '/user')
  assert.equal(first.headers.get('ratelimit-policy'), '"person";q=1000;w=600')
  const [, left, reset] = /^"person";r=(\d+);t=(\d+)$/.exec(first.headers.get('ratelimit') ?? '') ?? []
  assert.ok(Number(reset) > 0 && Number(reset) <= 600)
  const second = await forge.call('ann', 'GET', '/repos/ann/nothing')
  assert.equal(second.status, 404)
  assert.match(second.headers.get('ratelimit') ?? '', new RegExp(`r=${Number(left) - 1};`))
  assert.match((await forge.call('bob', 'GET', '/user')).headers.get('ratelimit') ?? '', /r=999;/)
})

test('anonymous requests above the quota are refused for a while, and signed-in users are served', async () => {
  const wrong = { authorization: 'token nonsense' }
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await forge.call(null, 'GET', '/version')).status)
  statuses.push((await forge.call(null, 'GET', '/user', undefined, wrong)).status)
  assert.deepEqual(statuses, [200, 200, 200, 401])
  for (const refused of [
    await forge.call(null, 'GET', '/version'),
    await forge.call(null, 'GET', '/user', undefined, wrong),
    await forge.call(null, 'GET', '//avatars/1'),
  ]) {
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.match(refused.headers.get('ratelimit') ?? '', /^"nobody";r=0;/)
  }
  const git = await forge.call(null, 'GET', '//ann/site.git/info/refs?service=git-upload-pack')
  assert.equal(git.status, 401, 'git says who it is when it is asked to')
  assert.ok(Number(git.headers.get('retry-after')) > 0)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using ann = await GitClient.open(forge, 'ann', 'ann/site')
  await ann.commit('file', 'content')
  await ann.ok('push', 'origin', 'main')
  assert.equal((await forge.call(null, 'GET', '//healthz')).status, 200)
})
