/** Removes a pull request from the queue unmerged; the entries behind it are built again without it. */

import { getRepository } from '#domains/code/repositories'
import { may, mayActAsAuthor } from '#domains/people/access'
import { findPullOf, openPull, type PullCaller, pullEvent } from '#domains/review/pulls'
import { insertEntries, lockIssues } from '#domains/work/issues'
import { emit } from '#events'
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { forbidden, notFound } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import type { LeftEvent } from './events.ts'
import { orderAdvance } from './order.ts'
import { deleteEntry, findEntry } from './store.ts'
import type { EntryRow } from './tables.ts'

export interface Leaving {
  readonly reason: string
  readonly actor: { readonly id: number }
  /** The queue's branch; default: the current base branch of the pull request. */
  readonly branch?: string
  /** Removes only the entry with this id, not one that was queued again since. */
  readonly id?: number
}

/** The caller holds the issue lock. No-op if not queued. The next job of the queue deletes the ref. */
export async function leave(ctx: TxContext, issueId: number, leaving: Leaving): Promise<void> {
  const { reason, actor } = leaving
  const left = await deleteEntry(ctx.db, issueId, leaving.id)
  if (left === undefined) return
  const pull = must(await findPullOf(ctx.db, issueId), 'what was queued is a pull request')
  const { repository_id } = pull
  const base_branch = leaving.branch ?? pull.base_branch
  const entry = { kind: 'pull_cancel_scheduled_merge', body: reason } as const
  await insertEntries(ctx, { id: issueId, repository_id }, actor, [entry])
  const event: LeftEvent = { ...pullEvent(pull, actor), base_branch, reason }
  await emit(ctx, 'queue.left', event)
  await orderAdvance(ctx, [{ repository_id, base_branch }])
}

/** Removed by the forge because it cannot be merged. */
export async function expel(ctx: Context, entry: EntryRow, reason: string): Promise<void> {
  const { id, issue_id, actor_id } = entry
  ctx.log.info({ 'pull.issue': issue_id, 'queue.reason': reason }, 'pull request left the merge queue')
  await transact(ctx, async (ctx) => {
    await lockIssues(ctx.db, [issue_id])
    await leave(ctx, issue_id, { reason, id, actor: { id: actor_id } })
  })
}

/** Allowed for the user who queued it and for users who may write code. */
export async function leaveQueue(ctx: Context, { tracker }: PullCaller, number: number): Promise<void> {
  const { issue_id, repository_id } = await openPull(ctx, tracker, number)
  await transact(ctx, async (ctx) => {
    await lockIssues(ctx.db, [issue_id])
    const queued = await findEntry(ctx.db, issue_id)
    if (queued === undefined) throw notFound('merge queue entry', number)
    const actor = asSignedIn({ ctx })
    const repo = await getRepository(ctx, repository_id)
    const isOwn = queued.actor_id === actor.id && mayActAsAuthor(actor.restriction, 'pulls')
    if (!isOwn && !may(repo.access, 'write', 'code'))
      throw forbidden('user has no permission to remove the pull request from the merge queue')
    await leave(ctx, issue_id, { reason: 'removed from the merge queue', actor })
  })
}
