/** Topics over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectTopics } from './topics.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'writer', 'stranger']) await forge.person(login)
  await forge.call('ann', 'POST', '/user/repos', { name: 'open' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'closed', private: true })
  for (const name of ['open', 'closed'])
    await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/writer`, { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const PATH = '/repos/ann/open/topics'
const set = (topics: unknown) => forge.call('ann', 'PUT', PATH, { topics })
const get = async (query = '') => (await forge.call(null, 'GET', `${PATH}?${query}`)).body.topics

test('topics are set without duplicates and in order, added, removed, and shown in the record', async () => {
  assert.equal((await set(['b', 'A', 'a '])).status, 204)
  assert.deepEqual(await get(), ['a', 'b'])
  for (let i = 0; i < 2; i++) assert.equal((await forge.call('ann', 'PUT', `${PATH}/C`)).status, 204)
  assert.deepEqual(await get(), ['a', 'b', 'c'])
  assert.deepEqual(await get('limit=2&page=2'), ['c'])
  assert.equal((await forge.call('ann', 'DELETE', `${PATH}/b`)).status, 204)
  assert.equal((await forge.call('ann', 'DELETE', `${PATH}/b`)).status, 404)
  assert.deepEqual((await forge.call(null, 'GET', '/repos/ann/open')).body.topics, ['a', 'c'])
  assert.equal((await set([])).status, 204)
  assert.deepEqual(await get(), [])
})

const many = Array.from({ length: 26 }, (_, i) => `t${i}`)
for (const [what, topics, status] of [
  ['a space', ['not good'], 422],
  ['a comma', ['a,b'], 422],
  ['a dash in front', ['-a'], 422],
  ['nothing', [''], 422],
  ['letters of other scripts', ['é'], 422],
  ['36 letters', ['t'.repeat(36)], 422],
  ['35 letters', ['t'.repeat(35)], 204],
  ['26 of them', many, 422],
  ['25 of them, one twice', [...many.slice(1), 't1'], 204],
  ['a number', [7], 422],
  ['a text instead of a list', 'a', 422],
] as const)
  test(`topics with ${what}: ${status}`, async () => {
    assert.equal((await set(topics)).status, status)
  })

test('adding a 26th topic is refused', async () => {
  await set(many.slice(1))
  assert.equal((await forge.call('ann', 'PUT', `${PATH}/one-more`)).status, 422)
  assert.equal((await forge.call('ann', 'PUT', `${PATH}/t1`)).status, 204)
})

for (const [as, open, closed] of [
  ['writer', 403, 403],
  ['stranger', 403, 404],
  [null, 401, 404],
] as const)
  test(`${as ?? 'anonymous'} changes topics: ${open} of a public repository, ${closed} of a private one`, async () => {
    for (const [name, status] of [
      ['open', open],
      ['closed', closed],
    ] as const) {
      const path = `/repos/ann/${name}/topics`
      assert.equal((await forge.call(as, 'PUT', path, { topics: ['mine'] })).status, status)
      assert.equal((await forge.call(as, 'PUT', `${path}/mine`)).status, status)
      assert.equal((await forge.call(as, 'DELETE', `${path}/mine`)).status, status)
    }
  })

test('ten concurrent additions of topics all succeed', async () => {
  await set([])
  await Promise.all(many.slice(0, 10).map((topic) => forge.call('ann', 'PUT', `${PATH}/${topic}`)))
  assert.equal((await get()).length, 10)
})

test('topics are found by a part of their name, the most used first', async () => {
  await set(['iron', 'iron-ore'])
  await forge.call('ann', 'POST', '/user/repos', { name: 'other' })
  await forge.call('ann', 'PUT', '/repos/ann/other/topics', { topics: ['iron'] })
  const { body, headers } = await forge.call(null, 'GET', '/topics/search?q=IRO&limit=1')
  assert.deepEqual(
    body.topics.map((topic: { topic_name: string; repo_count: number }) => [
      topic.topic_name,
      topic.repo_count,
    ]),
    [['iron', 2]],
  )
  assert.equal(headers.get('x-total-count'), '2')
  assert.equal((await forge.call(null, 'GET', '/topics/search?q=%25')).body.topics.length, 0)
  assert.equal((await forge.call(null, 'GET', `/topics/search?q=${'x'.repeat(36)}`)).status, 422)
})

test('topics of repositories that are not public are not shown or counted', async () => {
  const found = async (name: string) => {
    const { body } = await forge.call('ann', 'GET', `/topics/search?q=${name}`)
    return body.topics.map((it: { topic_name: string; repo_count: number }) => [it.topic_name, it.repo_count])
  }
  await forge.call('ann', 'PUT', '/repos/ann/closed/topics', { topics: ['projectx'] })
  assert.deepEqual(await found('projectx'), [])
  await forge.call('ann', 'PATCH', '/repos/ann/closed', { private: false })
  assert.deepEqual(await found('projectx'), [['projectx', 1]])
  for (const [visibility, count] of [
    ['limited', 0],
    ['public', 1],
  ] as const) {
    await forge.db.updateTable('account').set({ visibility }).where('login', '=', 'ann').execute()
    assert.deepEqual(await found('projectx'), [['projectx', count]])
  }
  await forge.call('ann', 'PATCH', '/repos/ann/closed', { private: true })
  assert.deepEqual(await found('projectx'), [['projectx', 0]])
  await forge.call('ann', 'PUT', '/repos/ann/closed/topics', { topics: [] })
  assert.deepEqual(await found('projectx'), [['projectx', 0]])
})

test('a search among 100,000 topics uses indexes', async () => {
  await insertMany(
    forge.db,
    sql`insert into topic (name, created_at, updated_at)
    select 'bulk' || i, now(), now() from generate_series(1, 100000) as i`,
  )
  await sql`analyze topic`.execute(forge.db)
  await assertIndexed(forge.db, selectTopics(forge.db, 'bulk4711').limit(30), 'topic')
  await assertIndexed(forge.db, selectTopics(forge.db, '').limit(30), 'topic')
})
