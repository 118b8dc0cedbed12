/** Follows over REST. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startForge } from '#testing'

const forge = await startForge()
after(() => forge[Symbol.asyncDispose]())

const people = ['ann', 'bob', 'cid', 'dan'] as const
for (const name of people) await forge.person(name)
await forge.person('hidden', { visibility: 'private' })
await forge.person('guild', { kind: 'organization' })

const follow = (as: string, whom: string) => forge.call(as, 'PUT', `/user/following/${whom}`)
const unfollow = (as: string, whom: string) => forge.call(as, 'DELETE', `/user/following/${whom}`)

test('following is idempotent and counted once', async () => {
  for (const name of ['bob', 'bob', 'cid']) assert.equal((await follow(name, 'ann')).status, 204)
  assert.deepEqual(await counts('ann'), { followers: 2, following: 0 })
  assert.deepEqual(await counts('bob'), { followers: 0, following: 1 })
  assert.equal((await forge.call('bob', 'GET', '/user/following/ann')).status, 204)
  assert.equal((await forge.call('ann', 'GET', '/user/following/bob')).status, 404)
  assert.equal((await forge.call('dan', 'GET', '/users/bob/following/ann')).status, 204)
  assert.equal((await forge.call('dan', 'GET', '/users/ann/following/bob')).status, 404)
  assert.deepEqual(await logins('ann', '/user/followers'), ['bob', 'cid'])
  assert.deepEqual(await logins('dan', '/users/ann/followers'), ['bob', 'cid'])
  assert.deepEqual(await logins('bob', '/user/following'), ['ann'])

  for (let i = 0; i < 2; i++) assert.equal((await unfollow('bob', 'ann')).status, 204)
  assert.deepEqual(await counts('ann'), { followers: 1, following: 0 })
  assert.deepEqual(await counts('bob'), { followers: 0, following: 0 })
  await unfollow('cid', 'ann')
})

test('following oneself has no effect', async () => {
  assert.equal((await follow('dan', 'dan')).status, 204)
  assert.deepEqual(await counts('dan'), { followers: 0, following: 0 })
})

test('a followed user who becomes private stays followed; lists show only visible users', async () => {
  assert.equal((await follow('dan', 'hidden')).status, 404, 'whom one cannot see one cannot follow')
  await show('hidden', 'public')
  for (const whom of ['guild', 'hidden', 'ann']) assert.equal((await follow('dan', whom)).status, 204)
  await show('hidden', 'private')
  assert.deepEqual(await counts('dan'), { followers: 0, following: 3 })
  assert.deepEqual(await logins('bob', '/users/dan/following'), ['ann', 'guild'])
  assert.deepEqual(await logins('hidden', '/users/dan/following'), ['ann', 'hidden', 'guild'])
  for (const whom of ['guild', 'hidden', 'ann']) assert.equal((await unfollow('dan', whom)).status, 204)

  await follow('hidden', 'ann')
  assert.deepEqual(await logins('bob', '/users/ann/followers'), [])
  assert.deepEqual(
    await logins('ann', '/user/followers'),
    ['hidden'],
    'whom they follow they show themselves to',
  )
  await unfollow('hidden', 'ann')
})

for (const { as, method, path, status } of [
  { as: null, method: 'PUT', path: '/user/following/ann', status: 401 },
  { as: null, method: 'GET', path: '/user/followers', status: 401 },
  { as: null, method: 'GET', path: '/users/ann/followers', status: 401 },
  { as: null, method: 'GET', path: '/users/nobody/followers', status: 401 },
  { as: null, method: 'GET', path: '/users/bob/following/ann', status: 401 },
  { as: 'bob', method: 'PUT', path: '/user/following/nobody', status: 404 },
  { as: 'bob', method: 'DELETE', path: '/user/following/nobody', status: 404 },
  { as: 'bob', method: 'GET', path: '/users/nobody/followers', status: 404 },
  { as: 'bob', method: 'GET', path: '/users/hidden/followers', status: 404 },
  { as: 'bob', method: 'GET', path: '/users/ann/following/nobody', status: 404 },
  { as: 'bob', method: 'GET', path: '/users/ann/following/hidden', status: 404 },
] as const)
  test(`${as ?? 'anonymous'} calls ${method} ${path}: ${status}`, async () => {
    assert.equal((await forge.call(as, method, path)).status, status)
  })

test('concurrent follows between all users leave every counter right', async () => {
  const pairs = people.flatMap((a) => people.filter((b) => b !== a).map((b) => [a, b] as const))
  for (const act of [follow, unfollow, follow]) {
    const replies = await Promise.all([...pairs, ...pairs].map(([a, b]) => act(a, b)))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [204])
  }
  for (const name of people) assert.deepEqual(await counts(name), { followers: 3, following: 3 })
})

test('followers are paged with total and links', async () => {
  const page = await forge.call('ann', 'GET', '/user/followers?limit=2&page=2')
  assert.deepEqual(
    page.body.map((it: { login: string }) => it.login),
    ['dan'],
  )
  assert.equal(page.headers.get('x-total-count'), '3')
  assert.match(page.headers.get('link') ?? '', /rel="first".*rel="prev"/)
})

function show(login: string, visibility: 'public' | 'private') {
  return forge.db.updateTable('account').set({ visibility }).where('login', '=', login).execute()
}

async function counts(name: string) {
  const { body } = await forge.call(name, 'GET', '/user')
  return { followers: body.followers_count, following: body.following_count }
}

async function logins(as: string, path: string): Promise<string[]> {
  const { status, body, headers } = await forge.call(as, 'GET', path)
  assert.equal(status, 200)
  assert.equal(headers.get('x-total-count'), String(body.length))
  return body.map((user: { login: string }) => user.login)
}
