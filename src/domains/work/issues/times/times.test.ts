/** Tracked times and stopwatches over HTTP, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { durationInWords } from './duration.ts'
import { selectOwnTimes, selectTimes, type TimeFilter } from './store.ts'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'wes', 'eve', 'sam', 'pat']) await forge.person(login)
  await forge.person('boss', { is_admin: true })
  for (const name of ['one', 'two', 'vault', 'big'])
    await forge.call('ann', 'POST', '/user/repos', { name, private: name === 'vault' })
  for (const name of ['one', 'vault'])
    await forge.call('ann', 'PUT', `/repos/ann/${name}/collaborators/wes`, { permission: 'write' })
})
after(() => forge[Symbol.asyncDispose]())

interface Time {
  readonly id: number
  readonly time: number
  readonly user_name: string
}
const ROOT = '/repos/ann/one'
const open = async (as = 'eve', root = ROOT): Promise<number> =>
  (await forge.call(as, 'POST', `${root}/issues`, { title: 'work' })).body.number
const add = (as: string | null, number: number, body: object, root = ROOT) =>
  forge.call(as, 'POST', `${root}/issues/${number}/times`, body)
const list = async (as: string, path: string): Promise<[string, number][]> =>
  (await forge.call(as, 'GET', path)).body.map((it: Time) => [it.user_name, it.time])
const timeline = async (number: number): Promise<[string, string][]> =>
  (await forge.call('ann', 'GET', `${ROOT}/issues/${number}/timeline`)).body.map(
    (it: { type: string; body: string }) => [it.type, it.body],
  )
const setTracker = (tracker: object) =>
  forge.call('ann', 'PATCH', ROOT, {
    has_issues: true,
    internal_tracker: {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: true,
      enable_issue_dependencies: true,
      ...tracker,
    },
  })

for (const [seconds, words] of [
  [-30, ''],
  [0, ''],
  [1, '1 second'],
  [59, '59 seconds'],
  [90, '1 minute'],
  [3_600, '1 hour'],
  [7_385, '2 hours 3 minutes'],
  [360_000, '100 hours'],
] as const)
  test(`${seconds} seconds are «${words}»`, () => assert.equal(durationInWords(seconds), words))

test('contributors track time, or all readers if the repository allows it, or none if it is disabled', async () => {
  const n = await open()
  const all = async (body: object = { time: 60 }) => {
    const asked = [null, 'sam', 'pat', 'eve', 'wes', 'ann']
    return Promise.all(asked.map(async (as) => (await add(as, n, body)).status))
  }
  await forge.call('wes', 'POST', `${ROOT}/issues/${n}/assignees`, { assignees: ['pat'] })
  assert.deepEqual(await all(), [401, 403, 200, 200, 200, 200])
  await setTracker({ allow_only_contributors_to_track_time: false })
  assert.deepEqual(await all(), [401, 200, 200, 200, 200, 200])
  await setTracker({ enable_time_tracker: false })
  assert.deepEqual(await all(), [401, 400, 400, 400, 400, 400])
  assert.equal((await forge.call('wes', 'GET', `${ROOT}/issues/${n}/times`)).status, 404)
  assert.equal((await forge.call('wes', 'GET', `${ROOT}/times`)).status, 400)
  assert.equal((await forge.call('wes', 'POST', `${ROOT}/issues/${n}/stopwatch/start`)).status, 403)
  await setTracker({})
  const wrong = await Promise.all(
    [
      {},
      { time: 0 },
      { time: -5 },
      { time: '1h' },
      { time: 1e12 },
      { time: 1, created: 'now' },
      { time: 1, created: '2016-12-31T23:59:60Z' },
      { time: 1, created: '9999-12-31T23:59:59-10:00' },
      { time: 1, created: '0000-01-01T00:00:00+10:00' },
    ].map((it) => add('wes', n, it)),
  )
  assert.deepEqual(
    wrong.map(({ status }) => status),
    Array.from({ length: 9 }, () => 400),
  )
})

test('administrators can track time for users who may read the issue; for others user_name is ignored', async () => {
  const n = await open()
  const named = async (as: string, user_name: string, root = ROOT, number = n) => {
    const { status, body } = await add(as, number, { time: 60, user_name }, root)
    return status === 200 ? body.user_name : status
  }
  assert.equal(await named('wes', 'sam'), 'wes')
  assert.equal(await named('ann', 'sam'), 'sam')
  assert.equal(await named('boss', 'sam'), 'sam')
  assert.equal(await named('ann', 'nobody-knows'), 404)
  const hidden = await open('ann', '/repos/ann/vault')
  assert.equal(await named('ann', 'sam', '/repos/ann/vault', hidden), 404)
  assert.equal(await named('ann', 'wes', '/repos/ann/vault', hidden), 'wes')
})

test('writers see all times, others their own; filters by user, since and before', async () => {
  const n = await open()
  const path = `${ROOT}/issues/${n}/times`
  await add('eve', n, { time: 1, created: '2020-01-01T00:00:00Z' })
  await add('wes', n, { time: 2 })
  await add('wes', n, { time: 3 })
  assert.deepEqual(await list('ann', path), [
    ['eve', 1],
    ['wes', 2],
    ['wes', 3],
  ])
  assert.deepEqual(await list('eve', path), [['eve', 1]])
  assert.deepEqual(await list('sam', path), [])
  assert.deepEqual(await list('wes', `${path}?user=EVE`), [['eve', 1]])
  assert.deepEqual(await list('wes', `${path}?before=2020-02-01T00:00:00Z`), [['eve', 1]])
  assert.deepEqual(await list('wes', `${path}?since=2020-02-01T00:00:00Z&limit=1&page=2`), [['wes', 3]])
  assert.equal((await forge.call('wes', 'GET', `${path}?limit=1`)).headers.get('x-total-count'), '3')
  assert.equal((await forge.call('wes', 'GET', `${path}?since=yesterday`)).status, 422)
  for (const asked of [`${path}?user=wes`, `${ROOT}/times?user=wes`, `${ROOT}/times/wes`])
    assert.equal((await forge.call('eve', 'GET', asked)).status, 403)
  assert.equal((await forge.call('wes', 'GET', `${ROOT}/times/nobody-knows`)).status, 404)
})

test('users delete one or all of their own times, and each deletion is in the timeline', async () => {
  const n = await open()
  const path = `${ROOT}/issues/${n}/times`
  const { id } = (await add('wes', n, { time: 3_600 })).body
  await add('wes', n, { time: 60 })
  await add('wes', n, { time: 60 })
  const other = await open()
  const remove = async (as: string | null, at: string) => (await forge.call(as, 'DELETE', at)).status
  assert.equal(await remove(null, `${path}/${id}`), 401)
  assert.equal(await remove('ann', `${path}/${id}`), 403)
  assert.equal(await remove('wes', `${ROOT}/issues/${other}/times/${id}`), 404)
  assert.deepEqual((await Promise.all([1, 2].map(() => remove('wes', `${path}/${id}`)))).sort(), [204, 404])
  assert.equal(await remove('sam', path), 403)
  assert.equal(await remove('wes', path), 204)
  assert.equal(await remove('wes', path), 404)
  assert.deepEqual(await list('ann', path), [])
  assert.deepEqual(await timeline(n), [
    ['add_time_manual', '1 hour'],
    ['add_time_manual', '1 minute'],
    ['add_time_manual', '1 minute'],
    ['delete_time_manual', '1 hour'],
    ['delete_time_manual', '2 minutes'],
  ])
})

test('own times and stopwatches are shown while the repository is visible', async () => {
  const n = await open('ann', '/repos/ann/vault')
  await add('wes', n, { time: 77 }, '/repos/ann/vault')
  const start = `/repos/ann/vault/issues/${n}/stopwatch/start`
  assert.equal((await forge.call('wes', 'POST', start)).status, 201)
  const seen = async () => {
    const times = (await list('wes', '/user/times?limit=50')).filter(([, time]) => time === 77)
    const { body, headers } = await forge.call('wes', 'GET', '/user/stopwatches')
    return [times.length, body.length, headers.get('x-total-count')]
  }
  assert.deepEqual(await seen(), [1, 1, '1'])
  await forge.call('ann', 'DELETE', '/repos/ann/vault/collaborators/wes')
  assert.deepEqual(await seen(), [0, 0, '0'])
})

test('a user has one stopwatch: starting another or closing the issue stops it and keeps its time', async () => {
  const [first, second] = [await open('pat'), await open('pat')]
  const run = async (what: string, number: number, method: 'POST' | 'DELETE' = 'POST') =>
    (await forge.call('pat', method, `${ROOT}/issues/${number}/stopwatch/${what}`)).status
  assert.equal(await run('stop', first), 409)
  assert.equal(await run('delete', first, 'DELETE'), 409)
  assert.equal(await run('start', first), 201)
  assert.equal(await run('start', first), 409)
  forge.advance(90_000)
  const { body } = await forge.call('pat', 'GET', '/user/stopwatches')
  assert.deepEqual(
    [body[0].seconds, body[0].duration, body[0].issue_index, body[0].repo_owner_name],
    [90, '1 minute', first, 'ann'],
  )
  assert.equal(await run('start', second), 201)
  assert.deepEqual(await list('pat', `${ROOT}/issues/${first}/times`), [['pat', 90]])
  forge.advance(5_000)
  const closed = await forge.call('pat', 'PATCH', `${ROOT}/issues/${second}`, { state: 'closed' })
  assert.equal(closed.status, 201)
  assert.equal(await run('stop', second), 409)
  assert.equal(await run('start', first), 201)
  assert.equal(await run('delete', first, 'DELETE'), 204)
  assert.deepEqual(await timeline(first), [
    ['start_tracking', ''],
    ['stop_tracking', '1 minute'],
    ['start_tracking', ''],
    ['cancel_tracking', ''],
  ])
  assert.deepEqual(await timeline(second), [
    ['start_tracking', ''],
    ['close', ''],
    ['stop_tracking', '5 seconds'],
  ])
})

test('concurrent starts leave one running stopwatch and no duplicate time', async () => {
  const numbers = await Promise.all(Array.from({ length: 6 }, () => open('pat')))
  await forge.call('pat', 'POST', `${ROOT}/issues/${numbers[0]}/stopwatch/start`)
  const answers = await Promise.all(
    numbers.slice(1).map((n) => forge.call('pat', 'POST', `${ROOT}/issues/${n}/stopwatch/start`)),
  )
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  assert.equal((await forge.call('pat', 'GET', '/user/stopwatches')).body.length, 1)
  assert.equal((await list('pat', `${ROOT}/issues/${numbers[0]}/times`)).length, 1)
})

test('lists need the same few queries however long, by index among 100,000', async () => {
  const n = await open('ann', '/repos/ann/two')
  await add('ann', n, { time: 1 }, '/repos/ann/two')
  const cost = (path: string) => forge.countQueries(() => forge.call('ann', 'GET', path))
  const one = await cost('/repos/ann/two/times')
  for (let i = 0; i < 5; i++) {
    await add('ann', n, { time: 1 }, '/repos/ann/two')
    await add('ann', await open('ann', '/repos/ann/two'), { time: 1, user_name: 'sam' }, '/repos/ann/two')
  }
  assert.equal(await cost('/repos/ann/two/times'), one)
  await insertMany(
    forge.db,
    sql`insert into issue (repository_id, number, is_pull, title, body, is_closed, ref, created_at, updated_at)
    select (select id from repository where name = 'big'), i, false, '', '', false, '', now(), now()
    from generate_series(1, 1000) as i`,
  )
  await insertMany(
    forge.db,
    sql`insert into tracked_time (issue_id, repository_id, user_id, seconds, created_at)
    select issue.id, issue.repository_id, (select min(id) from account where kind = 'user') + i % 5, 60, now()
    from issue, generate_series(1, 100) as i
    where repository_id = (select id from repository where name = 'big')`,
  )
  await sql`analyze issue, tracked_time, account, repository`.execute(forge.db)
  const any = { userId: null, isPull: null, since: null, before: null }
  const filters: TimeFilter[] = [
    { ...any, in: { issue_id: 7 } },
    { ...any, in: { issue_id: 7 }, userId: 1 },
    { ...any, in: { repository_id: 1 } },
    { ...any, in: { repository_id: 1 }, userId: 1 },
    { ...any, in: { repository_id: 1 }, isPull: false },
  ]
  for (const filter of filters)
    await assertIndexed(forge.db, selectTimes(forge.db, filter).limit(30), 'tracked_time')
  await assertIndexed(
    forge.db,
    selectOwnTimes(forge.ctx, 1, { since: null, before: null }).limit(30),
    'tracked_time',
  )
})
