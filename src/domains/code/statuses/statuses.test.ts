/** Commit statuses. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, GitClient, insertMany, startForge } from '#testing'
import { combine, combineRequired, type State } from './combine.ts'
import { selectLatestStates, selectStatuses } from './store.ts'

let forge: Forge
let tip = ''
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob']) await forge.person(name)
  await forge.call('ann', 'POST', '/user/repos', { name: 'site' })
  await using client = await GitClient.open(forge, 'ann', 'ann/site')
  tip = await client.commit('a.txt', 'a')
  await client.ok('push', 'origin', 'main')
})
after(() => forge[Symbol.asyncDispose]())

const say = (state: string, context: string, revision = tip) =>
  forge.call('ann', 'POST', `/repos/ann/site/statuses/${revision}`, { state, context })

const COMBINED: readonly [readonly State[], State][] = [
  [[], 'pending'],
  [['success'], 'success'],
  [['success', 'skipped', 'warning'], 'success'],
  [['success', 'pending'], 'pending'],
  [['pending', 'error'], 'failure'],
  [['success', 'failure'], 'failure'],
]
for (const [states, whole] of COMBINED)
  test(`${states.join(', ') || 'no status'} combines to ${whole}`, () => assert.equal(combine(states), whole))

const SAID: readonly { readonly context: string; readonly state: State }[] = [
  { context: 'ci/build', state: 'success' },
  { context: 'ci/lint', state: 'failure' },
  { context: 'docs', state: 'pending' },
  { context: 'size', state: 'skipped' },
]
const REQUIRED: readonly [readonly string[], State][] = [
  [['ci/build'], 'success'],
  [['size'], 'success'],
  [['ci/build', 'docs'], 'pending'],
  [['ci/*'], 'failure'],
  [['missing'], 'pending'],
  [['ci/build', 'missing'], 'pending'],
  [['ci/lint', 'missing'], 'failure'],
  [['{ci/build,size}'], 'success'],
  [[], 'failure'],
]
for (const [patterns, whole] of REQUIRED)
  test(`required ${patterns.join(', ') || 'everything'} combines to ${whole}`, () =>
    assert.equal(combineRequired(SAID, patterns), whole))

test('the newest status of a context counts; the commit is given by id, short id or branch', async () => {
  assert.equal((await say('failure', 'ci/build')).status, 201)
  assert.equal((await say('success', 'ci/build', 'main')).status, 201)
  assert.equal((await say('success', 'ci/lint')).status, 201)
  for (const revision of [tip, 'main', tip.slice(0, 10)]) {
    const { body } = await forge.call(null, 'GET', `/repos/ann/site/commits/${revision}/status`)
    assert.equal(body.state, 'success')
    assert.equal(body.sha, tip)
    assert.deepEqual(
      body.statuses.map((it: { context: string }) => it.context),
      ['ci/lint', 'ci/build'],
    )
  }
  const all = await forge.call(null, 'GET', `/repos/ann/site/statuses/${tip}?sort=oldest`)
  assert.deepEqual(
    all.body.map((it: { status: string }) => it.status),
    ['failure', 'success', 'success'],
  )
  const failed = await forge.call(null, 'GET', `/repos/ann/site/commits/main/statuses?state=failure`)
  assert.equal(failed.headers.get('x-total-count'), '1')
})

test('creating a status emits an event', async () => {
  const { body } = await say('pending', 'told')
  const event = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'status.created')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  assert.equal((event.payload as { status_id?: number }).status_id, body.id)
})

test('creating a status requires write access, a valid state and an existing commit', async () => {
  const of = `/repos/ann/site/statuses/${tip}`
  assert.equal((await forge.call(null, 'POST', of, { state: 'success' })).status, 401)
  assert.equal((await forge.call('bob', 'POST', of, { state: 'success' })).status, 403)
  assert.equal((await say('nonsense', 'x')).status, 422)
  assert.equal((await say('success', 'x', 'a'.repeat(40))).status, 404)
  assert.equal((await forge.call(null, 'GET', '/repos/ann/site/commits/missing/status')).status, 404)
})

test('listing fifty statuses takes as many queries as listing one', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many' })
  await using client = await GitClient.open(forge, 'ann', 'ann/many')
  const oid = await client.commit('b.txt', 'b')
  await client.ok('push', 'origin', 'main')
  const at = `/repos/ann/many/statuses/${oid}`
  const look = () =>
    forge.countQueries(async () => {
      await forge.call(null, 'GET', at)
      await forge.call(null, 'GET', `/repos/ann/many/commits/${oid}/status`)
    })
  await forge.call('ann', 'POST', at, { state: 'success', context: 'first' })
  // Warms the cache: git checks only once that a branch contains the commit.
  await look()
  const few = await look()
  for (let i = 0; i < 49; i++) await forge.call('ann', 'POST', at, { state: 'success', context: `c${i}` })
  assert.equal(await look(), few)
})

test('the statuses of a commit are found by index among 100,000 rows', async () => {
  const { id, owner_id } = await forge.db
    .selectFrom('repository')
    .select(['id', 'owner_id'])
    .where('name', '=', 'site')
    .executeTakeFirstOrThrow()
  await insertMany(
    forge.db,
    sql`insert into commit_status
      (repository_id, oid, context, state, description, target_url, creator_id, created_at)
    select ${id}, md5(n::text), 'ci', 'success', '', '', ${owner_id}, now()
    from generate_series(1, 100000) as n`,
  )
  await sql`analyze commit_status`.execute(forge.db)
  const query = selectStatuses(forge.db, { repositoryId: id, oid: tip }, null)
  await assertIndexed(forge.db, query.selectAll().orderBy('id', 'desc').limit(30), 'commit_status')
  const heads = Array.from({ length: 30 }, () => ({ repositoryId: id, oid: tip }))
  await assertIndexed(forge.db, selectLatestStates(heads), 'commit_status')
})
