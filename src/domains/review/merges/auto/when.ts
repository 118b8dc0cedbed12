/** Which events try a scheduled merge, and which cancel it. */
import { findStatus, type StatusEvent } from '#domains/code/statuses'
import { type Consumer, consumer } from '#events/consumer'
import { type Handler, handler } from '#events/handler'
import type { TxContext } from '#platform/context'
import type { JobKind } from '#platform/queue'
import { drop } from './drop.ts'
import { AUTO_JOB, orderTry } from './order-try.ts'
import { deleteAuto, findAuto, listWaiting } from './store.ts'
import { tryToMerge } from './try-to-merge.ts'

export const autoConsumers: readonly Consumer[] = [
  consumer('merges-auto-status', 'status.created', hearStatus),
  consumer('merges-auto-pushed', 'pull.synchronized', (ctx, { issue_id }) => tryIfWaiting(ctx, issue_id)),
  consumer('merges-auto-ready', 'pull.ready', (ctx, { issue_id }) => tryIfWaiting(ctx, issue_id)),
  consumer('merges-auto-reviewed', 'review.submitted', (ctx, { issue_id }) => tryIfWaiting(ctx, issue_id)),
  consumer('merges-auto-dismissed', 'review.dismissed', (ctx, { issue_id }) => tryIfWaiting(ctx, issue_id)),
  consumer('merges-auto-requested', 'review.requested', (ctx, { issue_id }) => tryIfWaiting(ctx, issue_id)),
] as readonly Consumer[]

/**
 * Handlers run in the transaction of the event, because a check of the new head may succeed before any job runs. A new
 * head needs a new schedule.
 */
export const autoHandlers: readonly Handler[] = [
  handler('pull.synchronized', (ctx, event) => drop(ctx, event)),
  handler('pull.retargeted', (ctx, event) => drop(ctx, event)),
  handler('issue.closed', async (ctx, event) => {
    if (event.is_pull) await drop(ctx, event)
  }),
  handler('pull.merged', async (ctx, { issue_id }) => {
    await deleteAuto(ctx.db, issue_id)
  }),
] as readonly Handler[]

export const autoJobs: readonly JobKind[] = [
  { name: AUTO_JOB, run: (ctx, payload) => tryToMerge(ctx, (payload as { issue_id: number }).issue_id) },
]

async function hearStatus(ctx: TxContext, { status_id, repository_id }: StatusEvent): Promise<void> {
  const status = await findStatus(ctx.db, status_id)
  if (status === undefined) return
  await orderTry(ctx, await listWaiting(ctx.db, repository_id, status.oid))
}

async function tryIfWaiting(ctx: TxContext, issueId: number): Promise<void> {
  if ((await findAuto(ctx.db, issueId)) !== undefined) await orderTry(ctx, [issueId])
}
