/** Jobs with a key, on the real queue: which of two stays, and when it comes. */
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

/** In how many milliseconds each job of a key comes, by the clock of the database, after these were added in turn. */
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

/** A minute is more than any statement takes, and less than what is told apart here. */
function isAbout(wait: number | undefined, expected: number): boolean {
  return wait !== undefined && Math.abs(wait - expected) < 60_000
}

test('a job that is to wait waits, by the clock of the database', async () => {
  const [wait, ...others] = await waitsAfter('one', { waitMs: HOUR_MS })
  assert.ok(isAbout(wait, HOUR_MS), `${wait}`)
  assert.deepEqual(others, [])
})

test('a job takes the place of one with its key, and its time', async () => {
  const [wait, ...others] = await waitsAfter('two', { waitMs: HOUR_MS }, {})
  assert.ok(isAbout(wait, 0), `${wait}`)
  assert.deepEqual(others, [])
})

test('one that keeps the time comes no later than the one that waits already', async () => {
  const [wait, ...others] = await waitsAfter('three', {}, { waitMs: HOUR_MS, keepsTime: true })
  assert.ok(isAbout(wait, 0), `${wait}`)
  assert.deepEqual(others, [])
})

test('both kinds may be added at once', async () => {
  await transact(forge.ctx, (ctx) =>
    addJobs(ctx, [
      { kind: 'nothing', payload: {}, attemptsMax: 1, key: 'four' },
      { kind: 'nothing', payload: {}, attemptsMax: 1, key: 'five', waitMs: HOUR_MS, keepsTime: true },
    ]),
  )
  assert.ok(isAbout((await waitsAfter('four'))[0], 0))
  assert.ok(isAbout((await waitsAfter('five'))[0], HOUR_MS))
})
