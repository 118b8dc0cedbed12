/** Taking jobs from a queue with a long backlog, by several workers at once. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { transact } from '#platform/context'
import {
  addJobs,
  endJobs,
  failJob,
  freeLostJobs,
  type HeldJob,
  lookAhead,
  type NewJob,
  takeJobs,
} from '#platform/queue'
import { assertIndexed, type Forge, startForge } from '#testing'
import { takingStatement } from './take.ts'

const BACKLOG = 100_000
/** For the test without a vacuum: 20,000 jobs. */
const ROUNDS = 20
const ROUND_JOBS = 1_000
const GROUPS = 50

let forge: Forge
before(async () => {
  forge = await startForge()
})
after(() => forge[Symbol.asyncDispose]())
afterEach(() => sql`truncate job`.execute(forge.db))

const add = (...jobs: Partial<NewJob>[]) =>
  transact(forge.ctx, (ctx) =>
    addJobs(
      ctx,
      jobs.map((job) => ({ kind: 'errand', payload: {}, attemptsMax: 3, ...job })),
    ),
  )
const take = (worker: string, count: number, more: { kind?: string; after?: string } = {}) =>
  takeJobs(forge.db, { kind: 'errand', worker, count, after: null, ...more })
const groupsOf = (jobs: readonly HeldJob[]) => jobs.map(({ group_key }) => group_key)
const fill = (kind: string, group: string, run_at: string) =>
  sql`insert into job (kind, payload, attempts_max, group_key, run_at)
    select ${kind}, '{}', 3, ${group}, now() + ${run_at}::interval from generate_series(1, ${BACKLOG})`.execute(
    forge.db,
  )

test('taking from a backlog of 100,000 jobs uses the indexes and delays no other kind or group', async () => {
  await fill('flood', 'one', '-1 minute')
  await fill('errand', 'flood', '-1 minute')
  await add({ group: 'small' }, { group: 'zone' }, { group: 'early' })
  await sql`analyze job`.execute(forge.db)
  const wish = { kind: 'errand', worker: 'ann', count: 8, after: null }
  await assertIndexed(forge.db, takingStatement(wish), 'job')
  assert.deepEqual(groupsOf(await take('ann', 8)).sort(), ['early', 'flood', 'flood', 'small', 'zone'])
  assert.deepEqual(await take('ann', 1, { kind: 'nothing' }), [])
  const ahead = await lookAhead(forge.db, ['errand', 'flood', 'nothing'])
  assert.deepEqual(ahead.map(({ kind }) => kind).sort(), ['errand', 'flood'])
  assert.ok(ahead.every(({ in_ms }) => in_ms < 0))
})

test('after many jobs without a vacuum, taking jobs reads no more pages than before', async () => {
  await sql`alter table job set (autovacuum_enabled = false)`.execute(forge.db)
  const pages: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await sql`insert into job (kind, payload, attempts_max, group_key)
      select 'errand', '{}', 3, n % ${GROUPS} from generate_series(1, ${ROUND_JOBS}) as n`.execute(forge.db)
    pages.push(
      await countPages(takingStatement({ kind: 'errand', worker: 'ann', count: GROUPS, after: null })),
    )
    for (let left = ROUND_JOBS - GROUPS; left > 0; left -= GROUPS)
      await endJobs(forge.db, await take('ann', GROUPS))
  }
  await sql`alter table job reset (autovacuum_enabled)`.execute(forge.db)
  const [first = 0] = pages
  assert.ok(
    pages.every((count) => count < first * 3),
    `pages read in each round: ${pages.join(', ')}`,
  )
})

/** Executes the statement. */
async function countPages(statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
    explain (analyze, buffers, format json) ${statement}`.execute(forge.db)
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}

test('groups take turns: the last one is followed by the first', async () => {
  await add(...['a', 'a', 'b', 'b', 'c', 'c'].map((group) => ({ group })))
  assert.deepEqual(groupsOf(await take('ann', 2)), ['a', 'b'])
  assert.deepEqual(groupsOf(await take('ann', 2, { after: 'b' })), ['c', 'c'])
  assert.deepEqual(groupsOf(await take('ann', 2)), ['a', 'b'])
})

for (const [groups, count, mayHaveMore] of [
  [['a'], 4, false],
  [['a', 'b', 'b'], 8, false],
  [['a', 'a', 'a', 'a'], 4, true],
  [['a', 'b', 'b', 'b'], 4, true],
  [['a', 'b', 'c'], 3, true],
  [['a', 'b', 'c'], 2, true],
] as const)
  test(`${count} wanted of ${groups.join(', ')}: ${mayHaveMore ? 'may have more' : 'all are taken'}`, async () => {
    await add(...groups.map((group) => ({ group })))
    const taken = await take('ann', count)
    assert.ok(taken.length > 0)
    assert.ok(taken.every((job) => job.may_have_more === mayHaveMore))
    if (!mayHaveMore) assert.deepEqual(await take('ann', count), [])
  })

test('at most one job of a serial group is held, with any number of workers', async () => {
  await add(...Array.from({ length: 20 }, () => ({ group: 'queue', isSerial: true })))
  const taken = await Promise.all(Array.from({ length: 8 }, (_, i) => take(`worker-${i}`, 4)))
  assert.equal(taken.flat().length, 1)
  assert.deepEqual(await take('late', 4), [])
})

test('several workers never take the same job', async () => {
  await add(...Array.from({ length: 60 }, (_, i) => ({ group: String(i % 7) })))
  const taken = (await Promise.all(Array.from({ length: 6 }, (_, i) => take(`worker-${i}`, 10)))).flat()
  assert.equal(new Set(taken.map(({ id }) => id)).size, taken.length)
})

test('a failed job runs again later, or is deleted when another waits under its key', async () => {
  await add({ key: 'one' }, { key: 'two' })
  const [one, two] = await take('ann', 2)
  assert.ok(one && two)
  await add({ key: 'two', payload: { is: 'new' } })
  for (const job of [one, two]) await failJob(forge.db, job, 'no luck')
  const { rows } = await sql<{ key: string; error: string | null; is_later: boolean }>`
    select key, error, run_at > now() as is_later from job order by key`.execute(forge.db)
  assert.deepEqual(rows, [
    { key: 'one', error: 'no luck', is_later: true },
    { key: 'two', error: null, is_later: false },
  ])
})

test('jobs of a dead worker and jobs unknown to their worker are freed; others stay', async () => {
  await add({}, {}, {}, {})
  const [held, unheard] = await take('me', 2)
  const [silent] = await take('silent', 1)
  const [alive] = await take('alive', 1)
  await sql`insert into job_worker (id, seen_at) values ('alive', now()), ('silent', now() - interval '1 hour')`.execute(
    forge.db,
  )
  await sql`update job set held_at = held_at - interval '1 minute'`.execute(forge.db)
  const freed = await freeLostJobs(forge.db, { ids: ['me'], heldIds: [held?.id ?? 0], silenceMs: 15_000 })
  assert.equal(freed, 2)
  const { rows } = await sql<{ id: number }>`select id from job where worker is null order by id`.execute(
    forge.db,
  )
  assert.deepEqual(
    rows.map(({ id }) => id),
    [unheard?.id, silent?.id],
  )
  assert.ok(alive)
})

test('of several lost jobs under one key one is freed, and the others are deleted', async () => {
  const lost: (HeldJob | undefined)[] = []
  for (const worker of ['dead', 'silent', 'gone']) {
    await add({ key: 'same' }, { key: `other-${worker}` })
    lost.push(...(await take(worker, 2)))
  }
  await sql`update job set held_at = held_at - interval '1 minute'`.execute(forge.db)
  await freeLostJobs(forge.db, { ids: ['me'], heldIds: [], silenceMs: 15_000 })
  const { rows } = await sql<{
    key: string
    worker: string | null
  }>`select key, worker from job order by key`.execute(forge.db)
  assert.equal(lost.length, 6)
  assert.deepEqual(
    rows,
    ['other-dead', 'other-gone', 'other-silent', 'same'].map((key) => ({ key, worker: null })),
  )
})
