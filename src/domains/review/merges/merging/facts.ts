/** Loads the facts that a pull request's merge conditions are evaluated on. */

import type { BranchProtectionRow, MergeFacts } from '#domains/code/protections'
import type { Repository } from '#domains/code/repositories'
import { findRequiredState } from '#domains/code/statuses'
import type { PullRow } from '#domains/review/pulls'
import { findVerdict } from '#domains/review/reviews'
import { hasOpenDependencies, type IssueRow, isDraft } from '#domains/work/issues'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'

/** What the caller knows of the commits. null: determined later, for the commit that is merged. */
export interface Known {
  readonly mergeability: PullRow['mergeability'] | null
  readonly isOutdated: boolean | null
  /** The commit whose status checks count. */
  readonly checked: string | null
}

/** `rule`: the branch protection whose conditions apply. Loads only what it can require. */
export async function findFacts(
  ctx: Context,
  { repo, issue }: { readonly repo: Repository; readonly issue: IssueRow },
  pull: PullRow,
  rule: BranchProtectionRow | undefined,
  { mergeability, isOutdated, checked }: Known,
): Promise<MergeFacts> {
  const isBlocked = await hasOpenDependencies(ctx, repo, issue)
  const own = { isDraft: isDraft(issue), isBlocked, mergeability, conflictedPaths: pull.conflicted_paths }
  if (rule === undefined) return { ...own, ruled: null }
  const checks = checked === null ? null : await findChecks(ctx.db, pull.repository_id, checked, rule)
  return { ...own, ruled: { ...(await findVerdict(ctx.db, pull, rule)), checks, isOutdated } }
}

/** Combined state of the status checks that `rule` requires for a commit; null: it requires none. */
export async function findChecks(
  db: Db,
  repositoryId: number,
  oid: string,
  rule: BranchProtectionRow | undefined,
): Promise<Awaited<ReturnType<typeof findRequiredState>> | null> {
  if (!rule?.enable_status_check) return null
  return findRequiredState(db, { repositoryId, oid }, rule.status_check_contexts)
}
