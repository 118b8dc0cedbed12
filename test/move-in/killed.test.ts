/**
 * `bloomery move-in` is killed on the way and run again: the forge is the same as without the kills. Larger with
 * MOVE_IN_REPOSITORIES, MOVE_IN_ISSUES (in each) and MOVE_IN_KILLS; prints minutes and memory.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool, type Pool } from '#platform/pool'
import { createDatabase } from '#testing/database'
import { growInstance } from './grow-instance.ts'
import { makeInstance } from './make-instance.ts'

const REPOSITORIES = Number(process.env.MOVE_IN_REPOSITORIES ?? 6)
const ISSUES = Number(process.env.MOVE_IN_ISSUES ?? 100)
const KILLS = Number(process.env.MOVE_IN_KILLS ?? 3)
const STEPS = 75
const POLL_MS = 20
const MIB = 1024
/** Rows that differ by nature: random keys, times of this forge, jobs. */
const UNLIKE = [
  'git_generation',
  'git_pack',
  'git_pack_unnamed',
  'job',
  'move_in',
  'move_in_step',
  'schema_migration',
]

interface Target {
  readonly pool: Pool
  readonly environment: Record<string, string>
}

test('a move-in that is killed on the way ends with the same rows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-move-in-'))
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const made = await makeInstance(folder)
  undo.defer(() => made.database.close())
  await growInstance(made, { repositories: REPOSITORIES, issues: ISSUES })
  const whole = await openTarget(undo, join(folder, 'whole'))
  const killed = await openTarget(undo, join(folder, 'killed'))
  const began = performance.now()
  const { code, peakMib } = await finish(start(whole, made.appIni))
  assert.equal(code, 0)
  const minutes = ((performance.now() - began) / 60_000).toFixed(1)
  console.log(`${REPOSITORIES} repositories, ${REPOSITORIES * ISSUES} issues: ${minutes} min, ${peakMib} MiB`)
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = start(killed, made.appIni)
    await untilStep(killed.pool, Math.round((STEPS * kill) / (KILLS + 1)))
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const last = start(killed, made.appIni)
  assert.equal((await finish(last)).code, 0)
  assert.deepEqual(await countRows(killed.pool), await countRows(whole.pool))
})

async function openTarget(undo: AsyncDisposableStack, folder: string): Promise<Target> {
  const database = await createDatabase()
  undo.defer(() => database.drop())
  const pool = openPool({
    url: database.url,
    poolMax: 2,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 60_000,
  })
  undo.defer(() => pool.end())
  const environment = {
    PATH: process.env.PATH ?? '',
    BLOOMERY_DATABASE_URL: database.url,
    BLOOMERY_STORE_DRIVER: 'disk',
    BLOOMERY_STORE_FOLDER: join(folder, 'store'),
    BLOOMERY_GIT_CACHE_FOLDER: join(folder, 'cache'),
    BLOOMERY_SECRETS_KEYS: randomBytes(32).toString('hex'),
  }
  return { pool, environment }
}

function start({ environment }: Target, appIni: string): ChildProcess {
  const args = ['src/main.ts', 'move-in', 'gitea', '--app-ini', appIni]
  return spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function finish(child: ChildProcess): Promise<{ code: number | null; peakMib: number }> {
  let peakMib = 0
  const timer = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (text) => {
        peakMib = Math.max(peakMib, Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / MIB))
      },
      () => undefined,
    )
  }, POLL_MS * 10)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(timer)
  return { code, peakMib }
}

async function untilStep(pool: Pool, number: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ n: number }>('select count(*) as n from move_in_step where is_done')
    if (Number(rows[0]?.n) >= number) return
    await sleep(POLL_MS)
  }
}

async function countRows(pool: Pool): Promise<Record<string, number>> {
  const tables = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables.rows.filter((it) => !UNLIKE.includes(it.name))) {
    const { rows } = await pool.query<{ n: number }>(`select count(*) as n from "${name}"`)
    counts[name] = Number(rows[0]?.n)
  }
  return counts
}
