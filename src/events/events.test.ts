/** Events on a real queue: told with the change they tell of, heard exactly once, never silently lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { listDead, requeue } from '#jobs'
import { transact } from '#platform/context'
import { type Forge, startForge } from '#testing'
import { consumer, deliver, preparedConsumer, subscribersOf } from './consumer.ts'
import { emit } from './index.ts'
import { sweepEvents } from './sweep.ts'

declare module './index.ts' {
  interface Events {
    'bell.rung': { times: number }
  }
}

function ring(forge: Forge, times: number): Promise<void> {
  return transact(forge.ctx, (ctx) => emit(ctx, 'bell.rung', { times }))
}

test('a consumer hears what was committed, and nothing of what was rolled back', async () => {
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

test('every consumer of a subject hears it, each once, also when it is delivered twice', async () => {
  const heard: string[] = []
  const left = consumer('left', 'bell.rung', async () => void heard.push('left'))
  const right = consumer('right', 'bell.rung', async () => void heard.push('right'))
  await using forge = await startForge({ consumers: [left, right] })
  await ring(forge, 1)
  await forge.runJobs()
  const { id } = await forge.db.selectFrom('event').select('id').executeTakeFirstOrThrow()
  await Promise.all([
    deliver(forge.ctx, left, id),
    deliver(forge.ctx, left, id),
    deliver(forge.ctx, right, id),
  ])
  assert.deepEqual(heard.sort(), ['left', 'right'])
})

test('a consumer that fails leaves no mark and no effect, and is tried again until it succeeds', async () => {
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

test('a consumer prepares outside of the transaction, and hears when it was told, however late it comes', async () => {
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

test('what was tried as often as it may be is listed, and heard after it was requeued', async () => {
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

test('a bus that loses every message costs no event', async () => {
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

test('an event is swept after its time, with its marks, and not before', async () => {
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
  assert.equal((await forge.db.selectFrom('event_consumed').selectAll().execute()).length, 0)
})

test('two consumers of one name are a mistake that is told at once', () => {
  const one = consumer('same', 'bell.rung', async () => {})
  assert.throws(() => subscribersOf([one, one]), /two consumers are called same/)
})

/** The queue may note a failure a moment after the run that saw it. */
async function runUntil(forge: Forge, isDone: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 100 && !(await isDone()); i++) {
    await makeDue(forge)
    await forge.runJobs()
    await sleep(20)
  }
}

/** The backoff is the queue's; a test need not wait for it. */
async function makeDue(forge: Forge): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() - interval '1 second'`.execute(forge.db)
}
