/** A process without a worker, or with a busy one, notifies the workers of other processes of its jobs. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { transact } from '#platform/context'
import { addJobs, type JobKind } from '#platform/queue'
import { startForge } from '#testing'
import { Hints } from './hints.ts'
import { startWorker } from './worker.ts'

/** A worker polls every five seconds: a job that runs sooner was announced. */
const TOLD_MS_MAX = 3_000

test('a job of another process is run at once, and many jobs share one notification', async () => {
  await using forge = await startForge()
  const ran = new EventTarget()
  let runs = 0
  const errand: JobKind = {
    name: 'errand',
    run: async () => {
      runs += 1
      ran.dispatchEvent(new Event('run'))
    },
  }
  const notified: unknown[] = []
  const listener = await forge.pool.connect()
  listener.on('notification', ({ payload }) => notified.push(payload))
  await listener.query('listen bloomery_job')
  const worker = startWorker({ ...forge.ctx, jobHints: new Hints() }, forge.pool, {
    ...forge.work,
    jobs: [errand],
  })
  const jobHints = new Hints()
  jobHints.tellOthers(forge.pool, forge.ctx.log)
  try {
    // The worker listens after its first poll.
    await sleep(500)
    const told = once(ran, 'run', { signal: AbortSignal.timeout(TOLD_MS_MAX) })
    await transact({ ...forge.ctx, jobHints }, (ctx) =>
      addJobs(
        ctx,
        Array.from({ length: 50 }, () => ({ kind: 'errand', payload: {}, attemptsMax: 1 })),
      ),
    )
    await told
    for (let waited = 0; runs < 50 && waited < TOLD_MS_MAX; waited += 20) await sleep(20)
    assert.deepEqual([runs, notified], [50, ['errand']])
  } finally {
    jobHints.stop()
    await worker.stop()
    listener.release(true)
  }
})
