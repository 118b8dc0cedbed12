/**
 * What must be true of a pull request that lands. It is asked before anything is built, and all of it again in the
 * transaction that moves the base, where the pull request is locked: nothing that was said an instant before counts there.
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
import { may } from '#domains/people/access'
import { isBehindBranch, type PullRow } from '#domains/review/pulls'
import { findIssuesById, type IssueRow } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { notFound, Problem } from '#platform/problem'
import type { Style } from '../tables.ts'
import { findFacts } from './facts.ts'
import { NotReady, refusal } from './refusals.ts'

/** Where a pull request is to land, and the rule that holds there for whoever asks. */
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

/** What the caller of `openMergeTarget` has looked up already, for the same actor and in the same transaction. */
interface AtHand {
  readonly repo?: Repository
  readonly issue?: IssueRow
}

/** Thrown where the head of a pull request is not the tip of its branch: see `openCaughtUp`. */
export const BEHIND_BRANCH = new Problem(
  'conflict',
  'pull request is behind its head branch, please try again',
)

/**
 * It is open, its head is the tip of its branch, and the caller may merge it in this style, once it is ready. While the
 * head is behind the branch, the commits that the branch has are not those that were reviewed.
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
  const rule = await findMergeRule(ctx, repo, pull.base_branch)
  if (rule?.mayMerge === false) throw refusal('user is not allowed to merge into this branch')
  if (mergingOf(repo)[SWITCHES[style]] !== true) throw refusal('merge style is not allowed', { style })
  if (await isBehindBranch(ctx.db, pull, repo)) throw BEHIND_BRANCH
  const [issue] = atHand.issue ? [atHand.issue] : await findIssuesById(ctx.db, [pull.issue_id])
  return { repo: asWritable(ctx, repo, 'code'), issue: must(issue, 'a pull request has an issue'), rule }
}

/** Nothing but the rule may still stand in its way. `mergeability`: as git says; null: git is asked when it is built. */
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
  /** Of this head and the base that it lands on, which is asked of git. */
  readonly isOutdated: boolean
  /** The commit whose checks count, where it is not the head; null: they are asked for later. */
  readonly checked?: string | null
  /** As git says; null: git is asked when it is built. */
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
