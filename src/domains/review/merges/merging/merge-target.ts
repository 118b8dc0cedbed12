/**
 * What must hold for a pull request to be merged. Checked before the commit is built, and again in the transaction that
 * moves the base with the pull request locked; only the second check counts.
 */

import {
  type BranchProtectionRow,
  findMergeRule,
  type MergeFacts,
  type MergeRule,
  ruleAsked,
  unmetConditions,
  type Way,
} from '#domains/code/protections'
import {
  assertUnarchived,
  asWritable,
  type CanWrite,
  getRepository,
  type Merging,
  mergingOf,
  type Repository,
} from '#domains/code/repositories'
import { isLimited, may, refLimitOf } from '#domains/people/access'
import { isBehindBranch, type PullRow } from '#domains/review/pulls'
import { findIssuesById, type IssueRow } from '#domains/work/issues'
import { HEADS } from '#git'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { notFound, Problem } from '#platform/problem'
import type { Style } from '../tables.ts'
import { findFacts } from './facts.ts'
import { NotReady, refusal } from './refusals.ts'

/** The repository that a pull request merges into, and the protection of its base branch as it applies to the caller. */
export interface MergeTarget {
  readonly repo: CanWrite<'code'>
  readonly issue: IssueRow
  readonly rule: MergeRule | undefined
}

const SWITCHES: Readonly<Record<Style, keyof Merging>> = {
  merge: 'allow_merge_commits',
  rebase: 'allow_rebase',
  'rebase-merge': 'allow_rebase_explicit',
  squash: 'allow_squash_merge',
  'fast-forward-only': 'allow_fast_forward_only_merge',
  'manually-merged': 'allow_manual_merge',
}

/** Rows the caller of `openMergeTarget` has loaded already, for the same actor and in the same transaction. */
interface AtHand {
  readonly repo?: Repository
  readonly issue?: IssueRow
}

/** Thrown if the head of a pull request is not the tip of its branch: see `openCaughtUp`. */
export const BEHIND_BRANCH = new Problem(
  'conflict',
  'pull request is behind its head branch, please try again',
)

/**
 * Checks that the pull request is open, its head is the tip of its branch, and the caller may merge it in this style
 * once it is ready. While the head is behind its branch, the branch holds commits without a review.
 */
export async function openMergeTarget(
  ctx: Context,
  pull: PullRow,
  style: Style,
  atHand: AtHand = {},
): Promise<MergeTarget> {
  if (pull.merged_at !== null) throw refusal('pull request is already merged')
  if (!pull.is_open) throw notFound('open pull request', pull.number)
  const repo = atHand.repo ?? (await getRepository(ctx, pull.repository_id))
  assertUnarchived(repo)
  if (!may(repo.access, 'write', 'code') || !may(repo.access, 'read', 'pulls'))
    throw refusal('user is not allowed to merge')
  if (refLimitOf(ctx.actor?.restriction)?.(HEADS + pull.base_branch) === false)
    throw refusal('token may not update the base branch')
  const rule = await findMergeRule(ctx, repo, pull.base_branch)
  if (rule?.mayMerge === false) throw refusal('user is not allowed to merge into this branch')
  if (mergingOf(repo)[SWITCHES[style]] !== true) throw refusal('merge style is not allowed', { style })
  if (await isBehindBranch(ctx.db, pull, repo)) throw BEHIND_BRANCH
  const [issue] = atHand.issue ? [atHand.issue] : await findIssuesById(ctx.db, [pull.issue_id])
  return { repo: asWritable(ctx, repo, 'code'), issue: must(issue, 'a pull request has an issue'), rule }
}

/**
 * Checks all conditions except the branch protection. `mergeability` null: git determines it when the commit is built.
 */
export async function assertMergeable(
  ctx: Context,
  target: MergeTarget,
  pull: PullRow,
  mergeability: PullRow['mergeability'] | null,
): Promise<void> {
  const known = { mergeability, isOutdated: null, checked: null }
  assertMet(undefined, await findFacts(ctx, target, pull, undefined, known))
}

export interface Asked {
  readonly way: Way
  /** Whether the head is behind the base, as computed by git for these two commits. */
  readonly isOutdated: boolean
  /** The commit whose checks count if not the head; null: checked later. */
  readonly checked?: string | null
  /** null: git determines it when the commit is built. */
  readonly mergeability?: PullRow['mergeability'] | null
}

export async function assertReady(
  ctx: Context,
  target: MergeTarget,
  pull: PullRow,
  { way, isOutdated, checked = pull.head_oid, mergeability = null }: Asked,
): Promise<void> {
  const rule = ruleAsked(target.rule, way)
  assertMet(rule, await findFacts(ctx, target, pull, rule, { mergeability, isOutdated, checked }))
}

function assertMet(rule: BranchProtectionRow | undefined, facts: MergeFacts): void {
  const [first, ...others] = unmetConditions(rule, facts)
  if (first !== undefined) throw new NotReady(first, others)
}

/** A merge that waits is done later as its user, by when the token may have ended. */
export function assertMayWait({ actor }: Context): void {
  if (isLimited(actor?.restriction)) throw refusal('a restricted token cannot schedule a merge')
}
