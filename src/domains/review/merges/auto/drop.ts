/** Cancels a scheduled merge whose pull request is no longer the one that was scheduled. */

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
 * Cancels a scheduled merge whose `head_oid` is not the head. During a rolling upgrade, a node that does not know
 * `head_oid` may insert a row without it, or move a head and keep the row.
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
