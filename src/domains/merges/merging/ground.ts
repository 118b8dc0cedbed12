/**
 * What must be true of a pull request that lands. It is asked before anything is built, and all of it again in the
 * transaction that moves the base, where the pull request is locked: nothing that was said an instant before counts there.
 */
import { may } from '#domains/access'
import { assertClosable, findIssuesById, type IssueRow, isDraft } from '#domains/issues'
import { findMergeRule, type MergeRule, type Way } from '#domains/protections'
import { isBehindBranch, type PullRow } from '#domains/pulls'
import {
  assertUnarchived,
  getRepository,
  type Merging,
  mergingOf,
  type Repository,
} from '#domains/repositories'
import { findVerdict } from '#domains/reviews'
import { findRequiredState } from '#domains/statuses'
import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { notFound, Problem } from '#platform/problem'
import type { Style } from '../tables.ts'

/** Where a pull request is to land, and the rule that holds there for whoever asks. */
export interface Ground {
  readonly repo: Repository
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

/** Nothing that a rule could ask for is missing: what is left of it is who may merge. */
export const FLAWLESS = {
  approvals: Number.MAX_SAFE_INTEGER,
  isRejected: false,
  hasOfficialRequests: false,
  lacksCodeOwners: false,
  checks: 'success',
  isOutdated: false,
}

/**
 * It is open, its head is the tip of its branch, and the caller may merge it in this style, once it is ready. While the
 * head is behind the branch, the commits that the branch has are not those that were reviewed.
 */
export async function openGround(ctx: Context, pull: PullRow, style: Style): Promise<Ground> {
  if (pull.merged_at !== null) throw refusal('pull request is already merged')
  if (!pull.is_open) throw notFound('open pull request', pull.number)
  const repo = await getRepository(ctx, pull.repository_id)
  assertUnarchived(repo)
  if (!may(repo.access, 'write', 'code') || !may(repo.access, 'read', 'pulls'))
    throw refusal('user is not allowed to merge')
  const rule = await findMergeRule(ctx, repo, pull.base_branch)
  const refused = rule?.judge(FLAWLESS, 'merge')
  if (refused !== undefined) throw refused
  if (mergingOf(repo)[SWITCHES[style]] !== true) throw refusal('merge style is not allowed', { style })
  if (await isBehindBranch(ctx.db, pull))
    throw new Problem('conflict', 'pull request is behind its head branch, please try again')
  const [issue] = await findIssuesById(ctx.db, [pull.issue_id])
  return { repo, issue: must(issue, 'a pull request has an issue'), rule }
}

/** Nothing but the rule may still stand in its way. */
export async function assertWhole(ctx: Context, { repo, issue }: Ground): Promise<void> {
  if (isDraft(issue)) throw refusal('draft pull requests cannot be merged')
  await assertClosable(ctx, repo, issue)
}

export interface Asked {
  readonly way: Way
  /** Of this head and the base that it lands on, which is asked of git. */
  readonly isOutdated: boolean
  /** The commit whose checks count, where it is not the head; null: they are asked for later. */
  readonly checked?: string | null
}

export async function assertReady(
  ctx: Context,
  ground: Ground,
  pull: PullRow,
  { way, isOutdated, checked = pull.head_oid }: Asked,
): Promise<void> {
  await assertWhole(ctx, ground)
  if (ground.rule === undefined) return
  const { rule, judge } = ground.rule
  const of = checked === null ? null : { repositoryId: pull.repository_id, oid: checked }
  const checks =
    rule.enable_status_check && of !== null
      ? await findRequiredState(ctx.db, of, rule.status_check_contexts)
      : FLAWLESS.checks
  const verdict = await findVerdict(ctx.db, pull, rule)
  const refused = judge({ ...verdict, checks, isOutdated }, way)
  if (refused !== undefined) throw refused
}

export function refusal(why: string, details?: Record<string, unknown>): Problem {
  return new Problem('method_not_allowed', why, details)
}
