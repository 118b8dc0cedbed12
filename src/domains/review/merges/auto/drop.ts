/** A scheduled merge is dropped: its pull request is not what was scheduled any more. */

import { lockPull, pullEvent } from '#domains/review/pulls'
import { type IssueEvent, insertEntries, lockIssues } from '#domains/work/issues'
import { type Context, type TxContext, transact } from '#platform/context'
import { deleteAuto, findAuto } from './store.ts'

export async function drop(ctx: TxContext, event: IssueEvent): Promise<void> {
  if (!(await deleteAuto(ctx.db, event.issue_id))) return
  const place = { id: event.issue_id, repository_id: event.repository_id }
  await lockIssues(ctx.db, [event.issue_id])
  await insertEntries(ctx, place, { id: event.actor_id }, [{ kind: 'pull_cancel_scheduled_merge' }])
}

/**
 * An order that names another commit than the head. While nodes are upgraded, one that does not know `head_oid` may place
 * an order without it, or move a head and keep the order.
 */
export async function dropOutdated(ctx: Context, issueId: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockIssues(ctx.db, [issueId])
    const waiting = await findAuto(ctx.db, issueId)
    if (waiting === undefined) return
    const pull = await lockPull(ctx.db, issueId)
    if (waiting.head_oid !== pull.head_oid) await drop(ctx, pullEvent(pull, { id: waiting.actor_id }))
  })
}
