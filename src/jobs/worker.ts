/** A worker: takes jobs from the queue, looks after cron, and gives back what dead workers held. */
import { Logger as QueueLogger, run, runMigrations, runOnce } from 'graphile-worker'
import { startDueTasks } from '#domains/admin'
import type { Context } from '#platform/context'
import type { Pool } from '#platform/db'
import { beat, retire, unlockDead } from './heartbeat.ts'
import { taskList, type Work } from './tasks.ts'

export interface Worker {
  /** Finishes the jobs in hand, then stops. */
  stop(): Promise<void>
}

const POLL_MS = 1_000
const TICK_MS = 2_000

/** The tables of the queue, beside ours. */
export async function migrateJobs(pool: Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: silent() })
}

export async function startWorker(ctx: Context, pool: Pool, work: Work): Promise<Worker> {
  const workerIds = new Set<string>()
  const runner = await run({
    pgPool: pool,
    concurrency: ctx.config['jobs.concurrency'],
    pollInterval: POLL_MS,
    taskList: taskList(ctx, work),
    logger: toLog(ctx),
    // Signals are the business of the process, not of one part of it.
    noHandleSignals: true,
  })
  runner.events.on('worker:create', ({ worker }) => void workerIds.add(worker.workerId))
  const ticking = startTicking(ctx, async () => {
    await beat(ctx.db, [...workerIds])
    await unlockDead(ctx)
    await startDueTasks(ctx)
  })
  return {
    async stop() {
      await ticking.stop()
      await runner.stop()
      await retire(ctx.db, [...workerIds])
    },
  }
}

/** Runs what is due and returns: for tests and for commands. */
export async function runJobsOnce(ctx: Context, pool: Pool, work: Work): Promise<void> {
  await runOnce({ pgPool: pool, taskList: taskList(ctx, work), logger: silent() })
}

/** One tick after the other, never two at once; a tick that fails is logged and the next one tries again. */
function startTicking(ctx: Context, tick: () => Promise<void>): { stop(): Promise<void> } {
  let isStopped = false
  let current = Promise.resolve()
  const step = () => {
    if (isStopped) return
    current = tick().catch((error) => ctx.log.error({ err: error }, 'tick of the worker failed'))
    void current.then(() => {
      timer = setTimeout(step, TICK_MS)
    })
  }
  let timer = setTimeout(step, 0)
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await current
    },
  }
}

function toLog(ctx: Context): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    if (level === 'error') ctx.log.error({ 'job.message': message }, 'job failed')
    if (level === 'warning') ctx.log.warn({ 'job.message': message }, 'queue warns')
  })
}

function silent(): QueueLogger {
  return new QueueLogger(() => () => {})
}
