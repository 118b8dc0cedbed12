/** Marks a pull request and its issue as merged, in the transaction that moved the base. */
import { restrictionForLater } from '#domains/people/access'
import {
  applyChange,
  beginChange,
  countIssue,
  type IssueRow,
  lockIssues,
  type NewEntry,
} from '#domains/work/issues'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import { pullEvent } from '../events.ts'
import type { PullRow } from '../tables.ts'
import { lockPull, updatePull } from './store.ts'

export interface Landing {
  /** The head that was merged; a push since then makes the merge fail. */
  readonly headOid: string
  readonly baseBranch: string
  /** The new tip of the base branch. */
  readonly mergeCommit: string
  readonly isAuto: boolean
  readonly entries?: readonly NewEntry[]
}

/** A pull request and its issue, locked for the rest of the transaction. */
export interface HeldPull {
  readonly issue: IssueRow
  readonly pull: PullRow
}

/** Invariant: the issue is locked before its pull request, as in every change of one. */
export async function holdPull(ctx: TxContext, issueId: number): Promise<HeldPull> {
  const [issue] = await lockIssues(ctx.db, [issueId])
  return { issue: must(issue, 'a pull request has an issue'), pull: await lockPull(ctx.db, issueId) }
}

/** Throws, which rolls back the merge, if the pull request is not open or its head or base changed. */
export async function markMerged(
  ctx: TxContext,
  { issue, pull }: HeldPull,
  actor: SignedIn,
  landing: Landing,
): Promise<PullRow> {
  const isSame = pull.head_oid === landing.headOid && pull.base_branch === landing.baseBranch
  if (!pull.is_open || !isSame)
    throw new Problem('conflict', 'pull request was updated concurrently, please try again')
  const now = ctx.now()
  const change = beginChange(issue, actor)
  Object.assign(change.patch, { is_closed: true, closed_at: now, merged_at: now })
  change.entries.push({ kind: 'merge_pull' }, ...(landing.entries ?? []))
  await countIssue(ctx, issue, { ...issue, ...change.patch })
  await applyChange(ctx, change)
  const merge = { merged_at: now, merged_by_id: actor.id, merge_commit: landing.mergeCommit }
  const merged = await updatePull(ctx.db, pull.issue_id, { ...merge, is_open: false })
  const { mergeCommit: merge_commit, isAuto: is_auto } = landing
  await emit(ctx, 'pull.merged', {
    ...pullEvent(pull, actor),
    merge_commit,
    is_auto,
    ...restrictionForLater(ctx.actor),
  })
  return merged
}
