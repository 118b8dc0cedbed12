/** A worker whose connections break at any moment survives, and every job is done. */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { emit } from '#events'
import { consumer } from '#events/consumer'
import { transact } from '#platform/context'
import { openDb } from '#platform/db'
import { openLog } from '#platform/log'
import { openPool, type Pool } from '#platform/pool'
import { addJobs, type JobKind, type NewJob } from '#platform/queue'
import { type Forge, startForge, until } from '#testing'
import { startHeartbeat } from './start-heartbeat.ts'
import { startWorker, type Worker } from './worker.ts'

declare module '#events' {
  interface Events {
    'drum.beaten': { beat: number }
  }
}

const DEAD_AFTER_MS = 2_000
const WAIT_MS_MAX = 60_000
const CUTS = 50
const STOPS = 30
/** The number of jobs a worker runs at once. */
const DRUMMERS = 4
/** `application_name` of the worker's connections, to tell them from those of the test. */
const VICTIM = 'victim'

let forge: Forge
let pool: Pool
let worker: Worker
let beats = 0
const heard: number[] = []
let whileHearing: () => Promise<void> = async () => undefined
const ear = consumer('ear', 'drum.beaten', async (_ctx, { beat }) => {
  heard.push(beat)
  await whileHearing()
})
const drum: JobKind = {
  name: 'drum',
  async run(_ctx, payload) {
    heard.push((payload as { beat: number }).beat)
    await whileHearing()
  },
}

before(async () => {
  const config = {
    'jobs.dead_after_ms': DEAD_AFTER_MS,
    'jobs.attempts_max': 100,
    'log.level': 'silent' as const,
  }
  forge = await startForge({ consumers: [ear], config })
  const url = forge.world.config['database.url']
  pool = openPool({
    url: `${url}${url.includes('?') ? '&' : '?'}application_name=${VICTIM}`,
    poolMax: 10,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 30_000,
  })
  worker = startVictim()
})
afterEach(() => {
  heard.length = 0
  whileHearing = async () => undefined
})
after(async () => {
  await worker.stop()
  await pool.end()
  await forge[Symbol.asyncDispose]()
})

test('a job that runs longer than the dead-worker timeout is not given to another worker', async () => {
  let attempts: number | undefined
  whileHearing = async () => {
    await sleep(DEAD_AFTER_MS * 3)
    attempts = (await jobs())[0]?.attempts
  }
  await beatDrum()
  await untilDone()
  assert.equal(attempts, 1)
})

test('a node whose event loop is blocked longer than that is not taken for dead', async () => {
  await sql`create table heard_at (at timestamptz not null default clock_timestamp())`.execute(forge.db)
  await sql`create function hear() returns trigger language plpgsql as
    $$ begin insert into heard_at default values; return new; end $$`.execute(forge.db)
  await sql`create trigger hear after insert or update on job_worker for each row execute function hear()`.execute(
    forge.db,
  )
  const { rows } = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(forge.db)
  const from = rows[0]?.now
  // Blocks the thread of the test and the worker, but not the heartbeat thread.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DEAD_AFTER_MS * 2)
  const heard = await sql<{ count: number }>`select count(*) from heard_at
    where at between ${from}::timestamptz + interval '500 milliseconds'
      and ${from}::timestamptz + ${`${DEAD_AFTER_MS * 2} milliseconds`}::interval`.execute(forge.db)
  await sql`drop function hear cascade`.execute(forge.db)
  assert.ok((heard.rows[0]?.count ?? 0) > 0)
})

test('a heartbeat that fails is one line for all its failures, and one when it works again', async () => {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) })
  // Values of a sequence are not rolled back: it counts the failures.
  await sql`create sequence failed_beats`.execute(forge.db)
  await sql`create function fail() returns trigger language plpgsql as
    $$ begin if new.id = 'failing' then perform nextval('failed_beats'); raise 'no beat'; end if; return new; end $$`.execute(
    forge.db,
  )
  await sql`create trigger fail before insert or update on job_worker for each row execute function fail()`.execute(
    forge.db,
  )
  const heartbeat = startHeartbeat({ ...forge.ctx, log }, 20)
  heartbeat.beatFor(['failing'])
  await until(async () => {
    const { rows } = await sql<{ last_value: number }>`select last_value from failed_beats`.execute(forge.db)
    return (rows[0]?.last_value ?? 0) > 5
  })
  await sql`drop function fail cascade`.execute(forge.db)
  await until(() => lines.includes('heartbeat works again'))
  await heartbeat.stop()
  assert.deepEqual(lines, ['heartbeat failed', 'heartbeat works again'])
})

for (const [what, end] of [
  ['done', async () => undefined],
  ['failed', () => Promise.reject(new Error('deaf'))],
] as const)
  test(`connections break while jobs are recorded as ${what}`, async () => {
    const client = await forge.pool.connect()
    const locked = Promise.withResolvers<void>()
    let inHand = 0
    whileHearing = async () => {
      const place = ++inHand
      if (place > DRUMMERS) return
      if (place === DRUMMERS) {
        await client.query('begin')
        await client.query('select from job for update')
        locked.resolve()
      }
      await locked.promise
      // One after the other, each on its own connection.
      await sleep(place * 50)
      await end()
    }
    const drums = Array.from({ length: DRUMMERS }, () => newDrum())
    await transact(forge.ctx, (ctx) => addJobs(ctx, drums))
    await cut(await untilWaiting(DRUMMERS))
    await client.query('rollback')
    client.release()
    await untilDone()
    assert.equal(new Set(heard).size, DRUMMERS)
  })

test('a job that was taken while the connection broke is returned to the queue', async () => {
  await transact(forge.ctx, async (ctx) => {
    await sql`lock table job in exclusive mode`.execute(ctx.db)
    const pids = await untilWaiting()
    await emit(ctx, 'drum.beaten', { beat: beats++ })
    // As if it had been assigned just before the connection broke: its worker is alive and does not know of it.
    await sql`update job set held_at = now(),
      worker = (select id from job_worker order by seen_at desc limit 1)`.execute(ctx.db)
    await cut(pids)
  })
  await untilDone()
  assert.equal(heard.length, 1)
})

test('a job ended by another worker meanwhile does not block the next one of its serial group', async () => {
  const order = { ...newDrum(), group: 'drums', isSerial: true }
  whileHearing = async () => {
    whileHearing = async () => undefined
    // As a worker does that was taken for dead, and ends the job after it was given to another.
    await sql`delete from job where held_at is not null`.execute(forge.db)
  }
  await transact(forge.ctx, (ctx) => addJobs(ctx, [order, order]))
  await untilDone()
  assert.equal(heard.length, 2)
})

test(`every job is done after ${CUTS} cuts of all connections at random moments`, async () => {
  whileHearing = () => sleep(Math.random() * 20)
  const first = beats
  let isCut = false
  const drumming = (async () => {
    while (!isCut) await beatDrum()
  })()
  for (let cuts = 0; cuts < CUTS; cuts++) {
    await sleep(20 + Math.random() * 80)
    await cut(await pidsOf())
  }
  isCut = true
  await drumming
  await untilDone()
  assert.ok(beats > first)
  for (let beat = first; beat < beats; beat++) assert.ok(heard.includes(beat), `nobody heard beat ${beat}`)
})

test('workers can start and stop while connections break', async () => {
  let isOver = false
  const cutting = (async () => {
    while (!isOver) {
      await cut(await pidsOf())
      await sleep(Math.random() * 60)
    }
  })()
  let stops = 0
  for (; stops < STOPS; stops++) {
    const second = startVictim()
    await sleep(Math.random() * 300)
    await second.stop()
  }
  isOver = true
  await cutting
  assert.equal(stops, STOPS)
})

function startVictim(): Worker {
  const db = openDb(pool)
  return startWorker({ ...forge.ctx, db, transactions: db }, pool, { ...forge.work, jobs: [drum] })
}

function newDrum(): NewJob {
  return { kind: drum.name, payload: { beat: beats++ }, attemptsMax: 100 }
}

function beatDrum(): Promise<void> {
  return transact(forge.ctx, (ctx) => emit(ctx, 'drum.beaten', { beat: beats++ }))
}

async function cut(pids: readonly number[]): Promise<void> {
  await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as victim(pid)`.execute(forge.db)
}

async function pidsOf(waiting = false): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where application_name = ${VICTIM} and datname = current_database()
      and (not ${waiting} or wait_event_type = 'Lock')`.execute(forge.db)
  return rows.map(({ pid }) => pid)
}

/** Connections of the worker that wait for a lock of the test. */
async function untilWaiting(count = 1): Promise<number[]> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 20) {
    const pids = await pidsOf(true)
    if (pids.length >= count) return pids
    await sleep(20)
  }
  throw new Error('the worker waits for nothing')
}

async function untilDone(): Promise<void> {
  for (let waited = 0; waited < WAIT_MS_MAX; waited += 100) {
    await sleep(100)
    if ((await jobs()).length === 0) return
  }
  assert.fail('jobs are left over')
}

async function jobs(): Promise<{ attempts: number }[]> {
  const { rows } = await sql<{ attempts: number }>`select attempts from job`.execute(forge.db)
  return rows
}
