/** When those that wait for their checks are tried: whenever something is said that may make them ready. */

import { may } from '#domains/access'
import { type IssueEvent, insertEntries, lockIssues } from '#domains/issues'
import { getRepository } from '#domains/repositories'
import { findStatus, type StatusEvent } from '#domains/statuses'
import { actAs } from '#domains/users'
import { type Consumer, consumer } from '#events/consumer'
import { type Handler, handler } from '#events/handler'
import type { TxContext } from '#platform/context'
import type { JobKind } from '#platform/queue'
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

/** In the transaction, because a check of the new head may succeed before any job runs. */
export const autoHandlers: readonly Handler[] = [
  handler('pull.synchronized', cancelForStranger),
  handler('pull.retargeted', async (ctx, event) => drop(ctx, event)),
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

/** Whoever may merge may also have pushed; of what anybody else pushes, who asked for the merge knows nothing. */
async function cancelForStranger(ctx: TxContext, event: IssueEvent): Promise<void> {
  if ((await findAuto(ctx.db, event.issue_id)) === undefined) return
  const asPusher = await actAs(ctx, event.actor_id)
  const repo = asPusher && (await getRepository(asPusher, event.repository_id))
  if (repo === undefined || !may(repo.access, 'write', 'code')) await drop(ctx, event)
}

async function drop(ctx: TxContext, event: IssueEvent): Promise<void> {
  if (!(await deleteAuto(ctx.db, event.issue_id))) return
  const place = { id: event.issue_id, repository_id: event.repository_id }
  await lockIssues(ctx.db, [event.issue_id])
  await insertEntries(ctx, place, { id: event.actor_id }, [{ kind: 'pull_cancel_scheduled_merge' }])
}
