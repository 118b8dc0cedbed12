/** A branch is deleted: what came from it cannot be merged any more, and is closed. */
import { applyChange, beginChange, countIssue, editState, findIssuesById } from '#domains/issues'
import { getRepository } from '#domains/repositories'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import type { SignedIn } from '#platform/rest'
import type { PullRow } from '../tables.ts'

/** The issue is locked. That it is closed is heard by ourselves, as when anybody closes it. */
export async function leaveBranch(ctx: TxContext, pull: PullRow, actor: SignedIn): Promise<void> {
  const [found] = await findIssuesById(ctx.db, [pull.issue_id])
  const issue = must(found, 'a pull request has an issue')
  if (issue.is_closed) return
  const repo = await getRepository(ctx, pull.repository_id)
  const change = beginChange(issue, actor)
  change.entries.push({ kind: 'delete_branch', payload: { old_ref: pull.head_branch } })
  await editState(ctx, change, repo, 'closed', { isForced: true })
  await countIssue(ctx, issue, { ...issue, ...change.patch })
  await applyChange(ctx, change)
}
