/** Milestones and their issue counts over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectMilestones } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve']) await forge.person(login)
  await forge.call('ann', 'POST', '/orgs', { username: 'smithy' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'one' })
  await forge.call('ann', 'POST', '/orgs/smithy/repos', { name: 'few' })
  await forge.call('ann', 'PUT', `${ROOT}/collaborators/wes`, { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

const ROOT = '/repos/smithy/one'
const plan = (as: string | null, body: object) => forge.call(as, 'POST', `${ROOT}/milestones`, body)
const open = async (body: object = {}): Promise<number> =>
  (await forge.call('wes', 'POST', `${ROOT}/issues`, { title: 'work', ...body })).body.number

for (const [as, status] of [
  [null, 401],
  ['eve', 403],
  ['wes', 201],
] as const)
  test(`${as ?? 'an anonymous caller'} creates a milestone: ${status}`, async () => {
    assert.equal((await plan(as, { title: 'one' })).status, status)
  })

test("a milestone's counters follow issues that are added, closed, moved and deleted", async () => {
  const [{ body: first }, { body: second }] = [
    await plan('wes', { title: 'first' }),
    await plan('wes', { title: 'second' }),
  ]
  const counts = async (id: number) => {
    const { body } = await forge.call(null, 'GET', `${ROOT}/milestones/${id}`)
    return [body.open_issues, body.closed_issues]
  }
  const n = await open({ milestone: first.id })
  await open({ milestone: first.id, closed: true })
  assert.deepEqual(await counts(first.id), [1, 1])
  await forge.call('wes', 'PATCH', `${ROOT}/issues/${n}`, { state: 'closed', milestone: second.id })
  assert.deepEqual(
    [await counts(first.id), await counts(second.id)],
    [
      [0, 1],
      [0, 1],
    ],
  )
  await forge.call('ann', 'DELETE', `${ROOT}/issues/${n}`)
  assert.deepEqual(await counts(second.id), [0, 0])
  assert.equal((await forge.call('wes', 'DELETE', `${ROOT}/milestones/${first.id}`)).status, 204)
  assert.equal((await forge.call(null, 'GET', `${ROOT}/issues/${n + 1}`)).body.milestone, null)
})

test('a milestone of another repository is 404', async () => {
  const { body } = await forge.call('ann', 'POST', '/repos/smithy/few/milestones', { title: 'far' })
  assert.equal(
    (await forge.call('wes', 'PATCH', `${ROOT}/milestones/${body.id}`, { title: 'x' })).status,
    404,
  )
  const n = await open()
  const moved = await forge.call('wes', 'PATCH', `${ROOT}/issues/${n}`, { milestone: body.id })
  assert.equal(moved.status, 400)
})

test('milestones need the same few queries however many, by index among 100,000', async () => {
  const cost = (name: string) =>
    forge.countQueries(() => forge.call(null, 'GET', `/repos/smithy/${name}/milestones?state=all`))
  assert.equal(await cost('few'), await cost('one'))
  await insertMany(
    forge.db,
    sql`with made as (
      insert into milestone (repository_id, title, description, is_closed, created_at, updated_at)
      select (select id from repository where name = 'few'), 'm' || i, '', i % 2 = 0, now(), now()
      from generate_series(1, 100000) as i returning id)
    insert into milestone_count (milestone_id) select id from made`,
  )
  await sql`analyze milestone, milestone_count`.execute(forge.db)
  for (const isClosed of [null, true])
    await assertIndexed(forge.db, selectMilestones(forge.db, 1, { isClosed }).limit(30), 'milestone')
})
