/** Events on a real queue: emitted with their change, consumed exactly once, never silently lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { runJobsOnce } from '#jobs'
import { transact } from '#platform/context'
import { listDead, requeue, takeJobs } from '#platform/queue'
import { type Forge, startForge } from '#testing'
import { consumer, type Interest, late, preparedConsumer, subscribersOf } from './consumer.ts'
import { deliverAll } from './deliver.ts'
import { emit } from './index.ts'
import { sweepEvents } from './sweep.ts'

declare module './index.ts' {
  interface Events {
    'bell.rung': { times: number; repository_id?: number }
  }
}

function ring(forge: Forge, times: number): Promise<void> {
  return transact(forge.ctx, (ctx) => emit(ctx, 'bell.rung', { times }))
}

test('a consumer receives committed events, and none that were rolled back', async () => {
  const heard: number[] = []
  const ear = consumer('ear', 'bell.rung', async (_ctx, event) => void heard.push(event.times))
  await using forge = await startForge({ consumers: [ear] })
  await ring(forge, 1)
  await assert.rejects(
    transact(forge.ctx, async (ctx) => {
      await emit(ctx, 'bell.rung', { times: 2 })
      throw new Error('changed my mind')
    }),
  )
  await forge.runJobs()
  assert.deepEqual(heard, [1])
})

test('every consumer of a subject acts once, even when a worker taken for dead delivers again', async () => {
  const heard: string[] = []
  const left = consumer('left', 'bell.rung', async () => void heard.push('left'))
  const right = consumer('right', 'bell.rung', async () => void heard.push('right'))
  await using forge = await startForge({ consumers: [left, right] })
  const consumers = new Map([left, right].map((it) => [it.name, it]))
  await ring(forge, 1)
  const silent = await takeJobs(forge.db, { kind: 'deliver', worker: 'silent', count: 1, after: null })
  assert.equal(silent.length, 1)
  await sql`update job set worker = null, held_at = null`.execute(forge.db)
  const second = await takeJobs(forge.db, { kind: 'deliver', worker: 'second', count: 1, after: null })
  await Promise.all([silent, second, second].map((jobs) => deliverAll(forge.ctx, consumers, jobs)))
  await deliverAll(forge.ctx, consumers, silent)
  assert.deepEqual(heard.sort(), ['left', 'right'])
})

test('a failing consumer has no effect and is retried until it succeeds', async () => {
  let tries = 0
  const shaky = consumer('shaky', 'bell.rung', async (ctx) => {
    tries += 1
    await sql`insert into effect values (${tries})`.execute(ctx.db)
    if (tries < 3) throw new Error('not yet')
  })
  await using forge = await startForge({ consumers: [shaky] })
  await sql`create table effect (try integer not null)`.execute(forge.db)
  await ring(forge, 1)
  await runUntil(forge, async () => tries >= 3)
  const { rows } = await sql<{ try: number }>`select try from effect`.execute(forge.db)
  assert.deepEqual(rows, [{ try: 3 }])
})

test('a consumer prepares outside the transaction, and gets the time of the event, however late', async () => {
  const heard: unknown[] = []
  const slow = preparedConsumer(
    'slow',
    'bell.rung',
    async (ctx, event) => ({ isInTransaction: ctx.db.isTransaction, twice: event.times * 2 }),
    async (ctx, _event, told, prepared) =>
      void heard.push({ ...prepared, acts: ctx.db.isTransaction, at: told.at }),
  )
  await using forge = await startForge({ consumers: [slow] })
  const at = forge.ctx.now()
  await ring(forge, 4)
  forge.advance(3_600_000)
  await forge.runJobs()
  assert.deepEqual(heard, [{ isInTransaction: false, twice: 8, acts: true, at }])
})

test('an event that used up its attempts is listed as dead and delivered after a requeue', async () => {
  let isBroken = true
  const heard: number[] = []
  const stubborn = consumer('stubborn', 'bell.rung', async (_ctx, event) => {
    if (isBroken) throw new Error('broken ear')
    heard.push(event.times)
  })
  await using forge = await startForge({ consumers: [stubborn], config: { 'jobs.attempts_max': 2 } })
  await ring(forge, 7)
  await runUntil(forge, async () => (await listDead(forge.db)).length > 0)
  const dead = await listDead(forge.db)
  assert.equal(dead.length, 1)
  assert.equal(dead[0]?.attempts, 2)
  assert.match(dead[0]?.error ?? '', /broken ear/)
  assert.deepEqual(heard, [])

  isBroken = false
  assert.equal(
    await requeue(
      forge.ctx,
      dead.map(({ id }) => id),
    ),
    1,
  )
  await forge.runJobs()
  assert.deepEqual(heard, [7])
  assert.deepEqual(await listDead(forge.db), [])
})

test('a bus that loses every message loses no event', async () => {
  const heard: number[] = []
  const ear = consumer('ear', 'bell.rung', async (_ctx, event) => void heard.push(event.times))
  await using forge = await startForge({ consumers: [ear], config: { 'bus.nats_url': 'nats://127.0.0.1:9' } })
  for (let i = 0; i < 50; i++) {
    await ring(forge, i)
    forge.world.bus.publish('bell.rung', { times: i })
  }
  await forge.runJobs()
  assert.deepEqual(
    heard.sort((a, b) => a - b),
    Array.from({ length: 50 }, (_, i) => i),
  )
})

test('events of one transaction share one job, and repositories take turns', async () => {
  const heard: number[] = []
  const ear = consumer('ear', 'bell.rung', async (_ctx, event) => void heard.push(event.times))
  await using forge = await startForge({ consumers: [ear] })
  const ringIn = (repository_id: number, ...rings: number[]) =>
    transact(forge.ctx, async (ctx) => {
      for (const times of rings) await emit(ctx, 'bell.rung', { times, repository_id })
    })
  await ringIn(1, 1, 2, 3)
  for (let times = 10; times < 60; times++) await ringIn(1, times)
  await ringIn(2, 99)
  const { rows } = await sql<{ jobs: number }>`select count(*) as jobs from job`.execute(forge.db)
  assert.deepEqual(rows, [{ jobs: 52 }])
  const taken = await takeJobs(forge.db, { kind: 'deliver', worker: 'one', count: 4, after: null })
  assert.deepEqual(
    taken.map(({ group_key }) => group_key),
    ['repository:1', 'repository:1', 'repository:2'],
  )
  await sql`update job set worker = null, held_at = null`.execute(forge.db)
  await forge.runJobs()
  assert.deepEqual(heard.slice(0, 3), [1, 2, 3])
  assert.equal(heard.length, 54)
})

test('a failing consumer is retried alone; the other consumers of its event have acted once', async () => {
  const heard: string[] = []
  let isBroken = true
  const good = consumer('good', 'bell.rung', async () => void heard.push('good'))
  const bad = consumer('bad', 'bell.rung', async () => {
    if (isBroken) throw new Error('not now')
    heard.push('bad')
  })
  await using forge = await startForge({ consumers: [good, bad], config: { 'log.level': 'silent' } })
  await ring(forge, 1)
  await forge.runJobs()
  // Effects before the failure were rolled back; only the second attempt alone counts.
  const { rows } = await sql<{ payload: { consumers: string[] } }>`select payload from job`.execute(forge.db)
  assert.deepEqual(
    rows.map(({ payload }) => payload.consumers),
    [['bad']],
  )
  isBroken = false
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.deepEqual(heard, ['good', 'good', 'bad'])
})

test('consumers without interest in an event are not called, and interest is queried once for many events', async () => {
  const heard: number[] = []
  const asked: number[] = []
  const interest: Interest = async (_ctx, events) => {
    asked.push(events.length)
    return events.map((event) => 'times' in event && (event.times as number) % 2 === 0)
  }
  const even = {
    ...consumer('even', 'bell.rung', async (_ctx, event) => void heard.push(event.times)),
    interest,
  }
  await using forge = await startForge({ consumers: [even] })
  for (let times = 1; times <= 20; times++) await ring(forge, times)
  await forge.runJobs()
  assert.deepEqual([heard.length, asked], [10, [20]])
})

test('late consumers share a job, and each is retried alone when one of them fails', async () => {
  const heard: string[] = []
  let isBroken = true
  const prepare = async () => undefined
  const good = late(preparedConsumer('good', 'bell.rung', prepare, async () => void heard.push('good')))
  const bad = late(
    preparedConsumer('bad', 'bell.rung', prepare, async () => {
      if (isBroken) throw new Error('not now')
      heard.push('bad')
    }),
  )
  await using forge = await startForge({ consumers: [good, bad], config: { 'log.level': 'silent' } })
  await ring(forge, 1)
  await forge.runJobs()
  const left = () => sql`select kind, payload -> 'consumers' as consumers from job`.execute(forge.db)
  assert.deepEqual((await left()).rows, [{ kind: 'deliver-late', consumers: ['bad'] }])
  isBroken = false
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.deepEqual([heard, (await left()).rows], [['good', 'good', 'bad'], []])
})

test('an event for a consumer of another version waits for a node that knows it', async () => {
  const heard: number[] = []
  const ear = consumer('ear', 'bell.rung', async (_ctx, event) => void heard.push(event.times))
  const late = consumer('late', 'bell.rung', async (_ctx, event) => void heard.push(-event.times))
  await using forge = await startForge({ consumers: [ear, late], config: { 'jobs.attempts_max': 2 } })
  await ring(forge, 1)
  const old = { ...forge.work, consumers: forge.work.consumers.filter(({ name }) => name !== 'late') }
  await runJobsOnce(forge.ctx, forge.pool, old)
  assert.deepEqual(heard, [1])
  // Old nodes find it more often than it may fail: no attempt is used up.
  for (let i = 0; i < forge.world.config['jobs.attempts_max']; i++) {
    await forge.makeJobsDue()
    await runJobsOnce(forge.ctx, forge.pool, old)
  }
  const { rows } = await sql`select kind, attempts, error from job where kind <> 'cron'`.execute(forge.db)
  assert.deepEqual(rows, [{ kind: 'deliver-to', attempts: 0, error: 'unknown consumer late' }])
  await forge.makeJobsDue()
  await forge.runJobs()
  assert.deepEqual(heard, [1, -1])
})

test('an event is swept after its retention, and not before', async () => {
  const ear = consumer('ear', 'bell.rung', async () => {})
  await using forge = await startForge({ consumers: [ear] })
  await ring(forge, 1)
  await forge.runJobs()
  forge.advance(29 * 86_400_000)
  await ring(forge, 2)
  await sweepEvents(forge.ctx)
  const left = () => forge.db.selectFrom('event').select('id').execute()
  assert.equal((await left()).length, 2)
  forge.advance(2 * 86_400_000)
  await sweepEvents(forge.ctx)
  assert.equal((await left()).length, 1)
})

test('all old events are swept, however many there were in a day', async () => {
  await using forge = await startForge()
  await sql`insert into event (subject, payload, created_at)
    select 'bell.rung', '{}', ${forge.ctx.now()} from generate_series(1, 60000)`.execute(forge.db)
  forge.advance(31 * 86_400_000)
  await sweepEvents(forge.ctx)
  assert.equal((await forge.db.selectFrom('event').select('id').execute()).length, 0)
})

test('two consumers of one name are refused at start', () => {
  const one = consumer('same', 'bell.rung', async () => {})
  assert.throws(() => subscribersOf([one, one]), /two consumers are called same/)
})

/** The queue may record a failure a moment after the run. */
async function runUntil(forge: Forge, isDone: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100 && !(await isDone()); i++) {
    await forge.makeJobsDue()
    await forge.runJobs()
    await sleep(20)
  }
}
