/** Jobs with a key, on the real queue: which one stays, and when it runs. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { addJobs, type NewJob } from '#platform/queue'
import { type Forge, startForge } from '#testing'

const HOUR_MS = 3_600_000

let forge: Forge
before(async () => {
  forge = await startForge()
})
after(() => forge[Symbol.asyncDispose]())

/** Adds the jobs in turn; returns in how many milliseconds each job with the key runs, by PostgreSQL's clock. */
async function waitsAfter(key: string, ...jobs: readonly Partial<NewJob>[]): Promise<number[]> {
  for (const job of jobs)
    await transact(forge.ctx, (ctx) =>
      addJobs(ctx, [{ kind: 'nothing', payload: {}, attemptsMax: 1, key, ...job }]),
    )
  const { rows } = await sql<{ wait: number }>`
    select (extract(epoch from run_at - now()) * 1000)::bigint as wait from job
    where key = ${key}`.execute(forge.db)
  return rows.map(({ wait }) => wait)
}

/** A minute is longer than any statement takes, and shorter than the differences tested here. */
function isAbout(wait: number | undefined, expected: number): boolean {
  return wait !== undefined && Math.abs(wait - expected) < 60_000
}

test("a delayed job waits, by PostgreSQL's clock", async () => {
  const [wait, ...others] = await waitsAfter('one', { waitMs: HOUR_MS })
  assert.ok(isAbout(wait, HOUR_MS), `${wait}`)
  assert.deepEqual(others, [])
})

test('a job replaces the waiting job with its key, and its run time', async () => {
  const [wait, ...others] = await waitsAfter('two', { waitMs: HOUR_MS }, {})
  assert.ok(isAbout(wait, 0), `${wait}`)
  assert.deepEqual(others, [])
})

test('a job with keepsTime runs no later than the waiting job it replaces', async () => {
  const [wait, ...others] = await waitsAfter('three', {}, { waitMs: HOUR_MS, keepsTime: true })
  assert.ok(isAbout(wait, 0), `${wait}`)
  assert.deepEqual(others, [])
})

test('a job with unlessQueued adds nothing and waits for nobody while one with its key waits', async () => {
  const job = { kind: 'nothing', payload: {}, attemptsMax: 1, key: 'six', unlessQueued: true }
  const add = () => transact(forge.ctx, (ctx) => addJobs(ctx, [job]))
  const list = () => forge.db.selectFrom('job').select(['id', 'attempts']).where('key', '=', 'six').execute()
  await add()
  const before = await list()
  assert.equal(before.length, 1)
  await forge.db.transaction().execute(async (tx) => {
    await tx.selectFrom('job').select('id').where('key', '=', 'six').forUpdate().execute()
    await add()
  })
  assert.deepEqual(await list(), before)
  await forge.db.updateTable('job').set({ attempts: 1 }).where('key', '=', 'six').execute()
  await add()
  assert.deepEqual(await list(), before, 'a dead one waits again')
})

test('jobs with and without keepsTime can be added at once', async () => {
  await transact(forge.ctx, (ctx) =>
    addJobs(ctx, [
      { kind: 'nothing', payload: {}, attemptsMax: 1, key: 'four' },
      { kind: 'nothing', payload: {}, attemptsMax: 1, key: 'five', waitMs: HOUR_MS, keepsTime: true },
    ]),
  )
  assert.ok(isAbout((await waitsAfter('four'))[0], 0))
  assert.ok(isAbout((await waitsAfter('five'))[0], HOUR_MS))
})
