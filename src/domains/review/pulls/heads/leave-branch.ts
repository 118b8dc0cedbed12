/** Closes the pull requests of a head branch that was deleted, alone or with its repository. */

import { getRepository } from '#domains/code/repositories'
import { actAs } from '#domains/people/users'
import {
  applyChange,
  beginChange,
  countIssue,
  editState,
  findIssuesById,
  lockIssues,
} from '#domains/work/issues'
import { type Context, type TxContext, transact } from '#platform/context'
import { must } from '#platform/must'
import { asSignedIn, type SignedIn } from '#platform/rest'
import { findPullOf, listOrphans } from '../records/store.ts'
import type { PullRow } from '../tables.ts'

/** The caller holds the issue lock. Our own handler of `issue.closed` updates the pull request, as for any closing. */
export async function leaveBranch(ctx: TxContext, pull: PullRow, actor: SignedIn): Promise<void> {
  const [found] = await findIssuesById(ctx.db, [pull.issue_id])
  const issue = must(found, 'a pull request has an issue')
  if (issue.is_closed) return
  const repo = await getRepository(ctx, pull.repository_id)
  const change = beginChange(issue, actor)
  await editState(ctx, change, repo, 'closed', { isForced: true })
  if (pull.head_repository_id !== null)
    change.entries.push({ kind: 'delete_branch', payload: { old_ref: pull.head_branch } })
  await countIssue(ctx, issue, { ...issue, ...change.patch })
  await applyChange(ctx, change)
}

/** Closed in the transaction that deletes the repository; jobs close the rest. */
const CLOSED_AT_ONCE_MAX = 50

export async function leaveRepositories(ctx: TxContext, actorId: number): Promise<void> {
  for (const issueId of await listOrphans(ctx.db, CLOSED_AT_ONCE_MAX))
    await leaveRepository(ctx, issueId, actorId)
}

export async function leaveRepository(ctx: Context, issueId: number, actorId: number): Promise<void> {
  await transact(ctx, async (ctx) => {
    const asActor = await actAs(ctx, actorId)
    await lockIssues(ctx.db, [issueId])
    const pull = await findPullOf(ctx.db, issueId)
    if (asActor === undefined || pull === undefined || pull.head_repository_id !== null) return
    await leaveBranch(ctx, pull, asSignedIn({ ctx: asActor }))
  })
}
