/** Periodic tasks: sweep old deliveries, and enqueue jobs for deliveries that lost theirs. */
import { type Context, transact } from '#platform/context'
import type { CronTask } from '#platform/cron'
import type { JobKind } from '#platform/queue'
import { KEPT_MS, LATE_HOOKS_MAX, LATE_MS, SWEEP_ROWS_MAX } from '../limits.ts'
import { buildPayload } from './build-payload.ts'
import { sweepCircuits } from './circuit-breaker.ts'
import { BUILD_JOB, type BuildOrder, enqueueSend, SEND_JOB, type SendOrder } from './delivery-jobs.ts'
import { sendDue } from './send.ts'
import { listLate, sweepPayloads } from './store.ts'

export const webhookJobs: readonly JobKind[] = [
  { name: BUILD_JOB, run: (ctx, order) => buildPayload(ctx, order as BuildOrder) },
  {
    name: SEND_JOB,
    concurrency: (config) => config['webhooks.concurrency'],
    run: (ctx, order) => sendDue(ctx, order as SendOrder),
  },
]

export const webhookTasks: readonly CronTask[] = [
  { name: 'cleanup_hook_task_table', schedule: '@midnight', run: sweepDeliveries },
  { name: 'send_late_webhooks', schedule: '@every 10m', run: enqueueLate },
]

export async function sweepDeliveries(ctx: Context): Promise<void> {
  const now = ctx.now()
  const before = new Date(now.getTime() - KEPT_MS)
  const part = { now, before, limit: SWEEP_ROWS_MAX }
  for (let swept = SWEEP_ROWS_MAX; swept === SWEEP_ROWS_MAX; )
    swept = await transact(ctx, (ctx) => sweepPayloads(ctx.db, part))
  await transact(ctx, (ctx) => sweepCircuits(ctx, before))
}

/** Jobs are lost when an old database backup is restored or the queue is emptied. */
export async function enqueueLate(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - LATE_MS)
  const hookIds = await listLate(ctx.db, before, LATE_HOOKS_MAX)
  await transact(ctx, (ctx) => enqueueSend(ctx, hookIds))
}
