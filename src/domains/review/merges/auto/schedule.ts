/** Schedules a merge for when the pull request is ready, and cancels the schedule. */

import { getRepository } from '#domains/code/repositories'
import { may, mayActAsAuthor } from '#domains/people/access'
import { holdPull, openPull, type PullCaller, type PullRow } from '#domains/review/pulls'
import { insertEntries, lockIssues } from '#domains/work/issues'
import { type Context, transact } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { assertMayWait, assertMergeable, openMergeTarget } from '../merging/merge-target.ts'
import type { MergeOptions } from '../schemas.ts'
import type { OwnStyle } from '../tables.ts'
import { orderTry } from './order-try.ts'
import { deleteAuto, findAuto, insertAuto } from './store.ts'

type Order = Pick<MergeOptions, 'title' | 'message' | 'deletesBranch' | 'headCommit'> & {
  readonly style: OwnStyle
}

/** If the pull request is ready already, the job merges it. */
export async function schedule(ctx: Context, pull: PullRow, order: Order): Promise<void> {
  await transact(ctx, async (ctx) => {
    assertMayWait(ctx)
    const { pull: held, issue } = await holdPull(ctx, pull.issue_id)
    await assertMergeable(ctx, await openMergeTarget(ctx, held, order.style, { issue }), held, null)
    if (order.headCommit !== '' && order.headCommit !== held.head_oid)
      throw new Problem('conflict', 'head commit is not the expected one', { actual: held.head_oid })
    const actor = asSignedIn({ ctx })
    const isNew = await insertAuto(ctx.db, {
      issue_id: pull.issue_id,
      actor_id: actor.id,
      style: order.style,
      title: order.title,
      message: order.message,
      deletes_branch: order.deletesBranch ?? null,
      head_oid: held.head_oid,
      created_at: ctx.now(),
    })
    if (!isNew) throw new Problem('conflict', 'pull request is already scheduled to be merged')
    const place = { id: pull.issue_id, repository_id: pull.repository_id }
    await insertEntries(ctx, place, actor, [{ kind: 'pull_scheduled_merge' }])
    await orderTry(ctx, [pull.issue_id])
  })
}

/** Allowed for the user who scheduled the merge and for users who may write code. */
export async function cancel(ctx: Context, { tracker }: PullCaller, number: number): Promise<void> {
  const { issue_id: id, repository_id } = await openPull(ctx, tracker, number)
  await transact(ctx, async (ctx) => {
    await lockIssues(ctx.db, [id])
    const waiting = await findAuto(ctx.db, id)
    if (waiting === undefined) throw notFound('scheduled merge', number)
    const actor = asSignedIn({ ctx })
    const repo = await getRepository(ctx, repository_id)
    const isOwn = waiting.actor_id === actor.id && mayActAsAuthor(actor.restriction, 'pulls')
    if (!isOwn && !may(repo.access, 'write', 'code'))
      throw forbidden('user has no permission to cancel the scheduled merge')
    await deleteAuto(ctx.db, id)
    await insertEntries(ctx, { id, repository_id }, actor, [{ kind: 'pull_cancel_scheduled_merge' }])
  })
}
