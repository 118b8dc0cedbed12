/** Blocking removes the ties of both users to each other's repositories. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob', 'cid']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  for (const login of ['ann', 'bob', 'cid'])
    for (const name of ['one', 'two', `of-${login}`]) await forge.call(login, 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'one' })
})
after(() => forge[Symbol.asyncDispose]())

const star = (as: string, path: string) => forge.call(as, 'PUT', `/user/starred/${path}`)
const watch = (as: string, path: string) => forge.call(as, 'PUT', `/repos/${path}/subscription`)
const isStarred = async (as: string, path: string) =>
  (await forge.call(as, 'GET', `/user/starred/${path}`)).status === 204
const isWatched = async (as: string, path: string) =>
  (await forge.call(as, 'GET', `/repos/${path}/subscription`)).status === 200
const countsOf = async (path: string) => {
  const { body } = await forge.call('ann', 'GET', `/repos/${path}`)
  return [body.stars_count, body.watchers_count]
}
const starsOf = async (login: string) => (await forge.call(login, 'GET', '/user')).body.starred_repos_count
const worksOn = async (owner: string, path: string, login: string) =>
  (await forge.call(owner, 'GET', `/repos/${path}/collaborators/${login}`)).status === 204

test('a block deletes stars, watches, collaborations and offers both ways and updates the counters', async () => {
  for (const [as, path] of [
    ['bob', 'ann/one'],
    ['bob', 'ann/two'],
    ['ann', 'bob/one'],
    ['bob', 'cid/one'],
    ['cid', 'ann/one'],
  ] as const) {
    assert.equal((await star(as, path)).status, 204)
    assert.equal((await watch(as, path)).status, 200)
  }
  const permission = { permission: 'write' }
  await forge.call('ann', 'PUT', '/repos/ann/one/collaborators/bob', permission)
  await forge.call('bob', 'PUT', '/repos/bob/one/collaborators/ann', permission)
  await forge.call('cid', 'PUT', '/repos/cid/one/collaborators/bob', permission)
  const offer = (as: string, path: string, new_owner: string) =>
    forge.call(as, 'POST', `/repos/${path}/transfer`, { new_owner })
  assert.equal((await offer('ann', 'ann/of-ann', 'bob')).status, 201)
  assert.equal((await offer('bob', 'bob/of-bob', 'ann')).status, 201)
  assert.equal((await offer('cid', 'cid/of-cid', 'bob')).status, 201)

  assert.equal((await forge.call('ann', 'PUT', '/user/blocks/bob')).status, 204)
  for (const [as, path, stays] of [
    ['bob', 'ann/one', false],
    ['bob', 'ann/two', false],
    ['ann', 'bob/one', false],
    ['bob', 'cid/one', true],
    ['cid', 'ann/one', true],
    ['ann', 'ann/one', true],
  ] as const) {
    if (as !== 'ann' || path !== 'ann/one') assert.equal(await isStarred(as, path), stays, `${as} ${path}`)
    assert.equal(await isWatched(as, path), stays, `${as} ${path}`)
  }
  assert.deepEqual(await countsOf('ann/one'), [1, 2])
  assert.deepEqual(await countsOf('ann/two'), [0, 1])
  assert.deepEqual(await countsOf('bob/one'), [0, 1])
  assert.deepEqual([await starsOf('ann'), await starsOf('bob'), await starsOf('cid')], [0, 1, 1])
  assert.equal(await worksOn('ann', 'ann/one', 'bob'), false)
  assert.equal(await worksOn('bob', 'bob/one', 'ann'), false)
  assert.equal(await worksOn('cid', 'cid/one', 'bob'), true)
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/of-ann/transfer/accept')).status, 404)
  assert.equal((await forge.call('ann', 'POST', '/repos/bob/of-bob/transfer/accept')).status, 404)
  assert.equal((await forge.call('bob', 'POST', '/repos/cid/of-cid/transfer/accept')).status, 202)
  await forge.call('ann', 'DELETE', '/user/blocks/bob')
})

test('a block by an organization deletes the user’s star and collaboration', async () => {
  await star('bob', 'guild/one')
  await forge.call('ann', 'PUT', '/repos/guild/one/collaborators/bob', { permission: 'admin' })
  assert.equal((await forge.call('ann', 'PUT', '/orgs/guild/blocks/bob')).status, 204)
  assert.equal(await isStarred('bob', 'guild/one'), false)
  assert.equal(await worksOn('ann', 'guild/one', 'bob'), false)
})

test('a star or watch concurrent with a block does not remain', async () => {
  const before = await starsOf('cid')
  for (let round = 0; round < 10; round++) {
    await forge.call('cid', 'DELETE', '/user/starred/ann/one')
    await Promise.all([
      forge.call('ann', 'PUT', '/user/blocks/cid'),
      star('cid', 'ann/one'),
      watch('cid', 'ann/one'),
    ])
    assert.deepEqual([await isStarred('cid', 'ann/one'), await isWatched('cid', 'ann/one')], [false, false])
    await forge.call('ann', 'DELETE', '/user/blocks/cid')
  }
  assert.equal(await starsOf('cid'), before - 1)
})
