/** A worker: takes jobs from the queue, looks after cron, and gives back what dead workers held. */
import { Logger as QueueLogger, runMigrations, runOnce } from 'graphile-worker'
import { startDueTasks } from '#domains/admin'
import type { Context } from '#platform/context'
import type { Pool } from '#platform/pool'
import { forgetReplaced } from './dead-letters.ts'
import { retire, unlockDead, unlockQueues } from './heartbeat.ts'
import { Lanes } from './lanes.ts'
import { startHeart } from './start-heart.ts'
import { taskList, type Work } from './tasks.ts'

export interface Worker {
  /** Finishes the jobs in hand, then stops. */
  stop(): Promise<void>
}

const TICK_MS_MAX = 2_000
/** A worker that lives is heard of this often in the time after which it counts as dead. */
const BEATS = 4

/** The tables of the queue, beside ours. */
export async function migrateJobs(pool: Pool): Promise<void> {
  await runMigrations({ pgPool: pool, logger: silent() })
}

export async function startWorker(ctx: Context, pool: Pool, work: Work): Promise<Worker> {
  await forgetReplaced(ctx)
  const lanes = new Lanes(ctx, pool, work)
  await lanes.follow()
  const everyMs = Math.min(TICK_MS_MAX, ctx.config['jobs.dead_after_ms'] / BEATS)
  const heart = startHeart(ctx, everyMs)
  const ticking = startTicking(ctx, everyMs, async () => {
    await lanes.follow()
    heart.tell(lanes.ids)
    if (!lanes.areOpen) return
    await unlockDead(ctx)
    await unlockQueues(ctx)
    await startDueTasks(ctx)
  })
  return {
    async stop() {
      const { ids } = lanes
      // Jobs in hand may take their time, and nobody else may take them meanwhile: the heart beats to the end.
      await lanes.stop()
      await ticking.stop()
      await heart.stop()
      // Whoever cannot say goodbye falls silent, which others notice.
      await retire(ctx.db, ids).catch(() => undefined)
    },
  }
}

/** Runs what is due and returns: for tests and for commands. */
export async function runJobsOnce(ctx: Context, pool: Pool, work: Work): Promise<void> {
  await runOnce({ pgPool: pool, taskList: taskList(ctx, work), logger: silent() })
}

/** One tick after the other, never two at once; a tick that fails is logged and the next one tries again. */
function startTicking(ctx: Context, everyMs: number, tick: () => Promise<void>): { stop(): Promise<void> } {
  let isStopped = false
  let current = Promise.resolve()
  const step = () => {
    if (isStopped) return
    current = tick()
      .catch((error) => ctx.log.error({ err: error }, 'worker tick failed'))
      .then(() => {
        timer = setTimeout(step, everyMs)
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

function silent(): QueueLogger {
  return new QueueLogger(() => () => {})
}
