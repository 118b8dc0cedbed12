/**
 * P1 for background jobs: a worker is killed with -9 at random moments, in the middle of a consumer, again and again, and
 * still every event's effect exists exactly once.
 *
 * KILLS=200 is the full length; without it a bounded run.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { emit } from '#events'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { anvil } from './consumer.ts'

const KILLS = Number(process.env.KILLS ?? 10)
const BLOWS_A_KILL_MAX = 100
const LIFE_MS_MAX = 600
const IDLE_MS_MAX = 120_000

test(`${KILLS} kills of a worker: every effect exists exactly once`, async () => {
  await using forge = await startForge({ consumers: [anvil], config: { 'jobs.attempts_max': 100 } })
  await sql`create table effect (blow bigint not null)`.execute(forge.db)
  await sql`create table effect_end (blow bigint not null)`.execute(forge.db)
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-kill-'))
  let blows = 0
  let inTheMiddle = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await startWorker(forge, folder)
    // Events are emitted until the very moment of the kill, so that it hits the middle of a job on any machine.
    const end = performance.now() + Math.random() * LIFE_MS_MAX
    for (let i = 0; i < BLOWS_A_KILL_MAX; i++) {
      await strike(forge, blows++)
      if (performance.now() > end) break
    }
    worker.kill('SIGKILL')
    await new Promise((resolve) => worker.once('exit', resolve))
    inTheMiddle += await countLocked(forge)
  }
  const last = await startWorker(forge, folder)
  const left = await untilDone(forge)
  last.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
  assert.equal(left, 0, 'jobs are left over')
  assert.ok(inTheMiddle > 0, 'no kill landed in the middle of a job: the test proved nothing')
  for (const table of ['effect', 'effect_end']) {
    const { rows } = await sql<{ blow: number; times: number }>`
      select blow, count(*) as times from ${sql.table(table)} group by blow order by blow`.execute(forge.db)
    assert.deepEqual(
      rows,
      Array.from({ length: blows }, (_, blow) => ({ blow, times: 1 })),
    )
  }
})

function strike(forge: Forge, blow: number): Promise<void> {
  return transact(forge.ctx, (ctx) => emit(ctx, 'hammer.fell', { blow }))
}

async function startWorker(forge: Forge, folder: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'worker.ts')
  const worker = spawn(process.execPath, [program, forge.world.config['database.url'], folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => worker.stdout?.once('data', resolve))
  return worker
}

async function countLocked(forge: Forge): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from job where held_at is not null`.execute(forge.db)
  return rows[0]?.jobs ?? 0
}

/** Until no job is left, or none has ended for a long time: their number and duration depend on the machine. */
async function untilDone(forge: Forge): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let waited = 0; ; waited += 200) {
    const { rows } = await sql<{ jobs: number }>`select count(*) as jobs from job`.execute(forge.db)
    const left = rows[0]?.jobs ?? 0
    if (left < least) waited = 0
    least = Math.min(least, left)
    if (left === 0 || waited > IDLE_MS_MAX) return left
    await sleep(200)
  }
}
