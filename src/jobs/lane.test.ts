/** A kind of job with its own slots delays no other kind, however long it takes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emit } from '#events'
import { consumer } from '#events/consumer'
import { transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { startForge, until } from '#testing'
import { slotsOf } from './tasks.ts'
import { startWorker } from './worker.ts'

declare module '#events' {
  interface Events {
    'door.knocked': { knock: number }
  }
}

/** How often a worker polls the queue without being woken. */
const LOOK_MS = 5_000
const VISITORS = 10
const ROOMS = 2

test('a kind of job that blocks all its slots does not delay other jobs or events', async () => {
  const doors = Promise.withResolvers<void>()
  let inside = 0
  let most = 0
  let gone = 0
  const heard: number[] = []
  const visit: JobKind = {
    name: 'visit',
    concurrency: () => ROOMS,
    run: async () => {
      inside += 1
      most = Math.max(most, inside)
      await doors.promise
      inside -= 1
      gone += 1
    },
  }
  let errands = 0
  const errand: JobKind = {
    name: 'errand',
    run: async () => {
      errands += 1
    },
  }
  const ear = consumer('ear', 'door.knocked', async (_ctx, { knock }) => void heard.push(knock))
  await using forge = await startForge({ consumers: [ear], config: { 'jobs.concurrency': 1 } })
  const order = (kind: string, times: number) =>
    transact(forge.ctx, (ctx) =>
      addJobs(
        ctx,
        Array.from({ length: times }, () => ({ kind, payload: {}, attemptsMax: 1 })),
      ),
    )
  const worker = await startWorker(forge.ctx, forge.pool, { ...forge.work, jobs: [visit, errand] })
  try {
    await order('visit', VISITORS)
    await until(() => inside === ROOMS)
    await order('errand', 3)
    for (const knock of [1, 2, 3]) await transact(forge.ctx, (ctx) => emit(ctx, 'door.knocked', { knock }))
    await until(() => errands === 3 && heard.length === 3)
    assert.deepEqual([inside, gone], [ROOMS, 0], 'they still hang')
    doors.resolve()
    await until(() => gone === VISITORS)
    assert.equal(most, ROOMS)
  } finally {
    doors.resolve()
    await worker.stop()
  }
})

test('a group with many jobs among small groups is processed without a pause', async () => {
  let runs = 0
  const errand: JobKind = {
    name: 'errand',
    run: async () => {
      runs += 1
    },
  }
  await using forge = await startForge()
  const groups = [...Array.from({ length: 40 }, () => 'large'), 'one', 'two']
  await transact(forge.ctx, (ctx) =>
    addJobs(
      ctx,
      groups.map((group) => ({ kind: 'errand', payload: {}, attemptsMax: 1, group })),
    ),
  )
  const worker = startWorker(forge.ctx, forge.pool, { ...forge.work, jobs: [errand] })
  try {
    await until(() => runs > 0)
    const began = performance.now()
    await until(() => runs === groups.length)
    assert.ok(performance.now() - began < LOOK_MS, 'the worker waited for its next look')
  } finally {
    await worker.stop()
  }
})

test('late jobs leave half of the slots to others', async () => {
  const doors = Promise.withResolvers<void>()
  let inside = 0
  let errands = 0
  const sweep: JobKind = {
    name: 'sweep',
    isLate: true,
    run: async () => {
      inside += 1
      await doors.promise
    },
  }
  const errand: JobKind = {
    name: 'errand',
    run: async () => {
      errands += 1
    },
  }
  await using forge = await startForge({ config: { 'jobs.concurrency': 4 } })
  const order = (kind: string) =>
    transact(forge.ctx, (ctx) =>
      addJobs(
        ctx,
        Array.from({ length: 8 }, () => ({ kind, payload: {}, attemptsMax: 1 })),
      ),
    )
  await order('sweep')
  const worker = startWorker(forge.ctx, forge.pool, { ...forge.work, jobs: [sweep, errand] })
  try {
    await until(() => inside > 0)
    await order('errand')
    await until(() => errands === 8)
    assert.equal(inside, 2)
    doors.resolve()
    await until(() => inside === 8)
  } finally {
    doors.resolve()
    await worker.stop()
  }
})

test('imports and mirrors run in their own slots, as many as configured', async () => {
  const config = { 'imports.concurrency': 2, 'mirrors.concurrency': 3 }
  await using forge = await startForge({ config })
  const all = slotsOf(forge.ctx, forge.work).map(({ tasks, slots }) => ({
    kinds: tasks.map(({ kind }) => kind).sort(),
    slots,
  }))
  const of = (kind: string) => all.filter(({ kinds }) => kinds.includes(kind))
  assert.deepEqual(of('import'), [{ kinds: ['import'], slots: 2 }])
  assert.deepEqual(of('mirror'), [{ kinds: ['mirror', 'push-mirror'], slots: 3 }])
  assert.deepEqual(of('deliver'), [{ kinds: ['deliver'], slots: 4 }])
  assert.deepEqual(of('deliver-to'), [{ kinds: ['deliver-to'], slots: 8 }])
  assert.deepEqual(of('start_run'), [{ kinds: ['start_run'], slots: 4 }])
})
