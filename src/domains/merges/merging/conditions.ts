/** What keeps a pull request from landing, told one by one to whoever looks at it. What decides is `ground.ts`. */
import { may } from '#domains/access'
import { findIssuesById, isDraft } from '#domains/issues'
import { findMergeRule, type MergeFacts } from '#domains/protections'
import { isBehindBranch, type PullRow, type SeenPull } from '#domains/pulls'
import { getRepository } from '#domains/repositories'
import { findVerdict } from '#domains/reviews'
import { findRequiredState } from '#domains/statuses'
import { findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { findAuto } from '../auto/store.ts'
import { findEntry } from '../queue/store.ts'
import { FLAWLESS } from './ground.ts'

export interface Condition {
  readonly kind:
    | 'ready'
    | 'mergeable'
    | 'checks'
    | 'approvals'
    | 'not rejected'
    | 'requests answered'
    | 'owners'
    | 'up to date'
  readonly isMet: boolean
  /** What is asked for and what there is, where it can be counted. */
  readonly wanted?: number
  readonly given?: number
  /** Files in conflict, or contexts of checks. */
  readonly names?: readonly string[]
}

export interface MergeOutlook {
  readonly conditions: readonly Condition[]
  /** Git is still asked whether it can be merged, or its head is behind its branch. */
  readonly isChecking: boolean
  readonly isBehind: boolean
  /** The caller may, once it is ready; and may also before. */
  readonly mayMerge: boolean
  readonly mayForce: boolean
  /** It lands when its checks succeed. */
  readonly isScheduled: boolean
  readonly isQueued: boolean
}

/** Everything that a rule could ask for is missing. */
const HOPELESS: MergeFacts = {
  approvals: -1,
  isRejected: true,
  hasOfficialRequests: true,
  lacksCodeOwners: true,
  checks: 'failure',
  isOutdated: true,
}

export async function findOutlook(ctx: Context, pull: SeenPull): Promise<MergeOutlook> {
  const repo = await getRepository(ctx, pull.repository_id)
  const [issue] = await findIssuesById(ctx.db, [pull.issue_id])
  const tip = await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch)
  const rule = await findMergeRule(ctx, repo, pull.base_branch)
  const isChecking =
    pull.checked_head_oid !== pull.head_oid ||
    pull.checked_base_oid !== tip?.oid ||
    (pull.is_open && (await isBehindBranch(ctx.db, pull)))
  const isBehind = !isChecking && pull.merge_base !== tip?.oid
  const isWriter = may(repo.access, 'write', 'code') && !repo.access.archived
  const ready: Condition = { kind: 'ready', isMet: issue !== undefined && !isDraft(issue) }
  const asked = rule === undefined ? [] : await askRule(ctx, pull, rule.rule, isBehind)
  return {
    conditions: [ready, mergeable(pull, isChecking), ...asked],
    isChecking,
    isBehind,
    mayMerge: isWriter && rule?.judge(FLAWLESS, 'merge') === undefined,
    mayForce: isWriter && rule !== undefined && rule.judge(HOPELESS, 'forced merge') === undefined,
    isScheduled: (await findAuto(ctx.db, pull.issue_id)) !== undefined,
    isQueued: (await findEntry(ctx.db, pull.issue_id)) !== undefined,
  }
}

function mergeable({ mergeability, conflicted_paths }: PullRow, isChecking: boolean): Condition {
  const isMet = !isChecking && ['mergeable', 'merged', 'empty'].includes(mergeability)
  return { kind: 'mergeable', isMet, names: isChecking ? [] : conflicted_paths }
}

type Rule = NonNullable<Awaited<ReturnType<typeof findMergeRule>>>['rule']

async function askRule(ctx: Context, pull: SeenPull, rule: Rule, isBehind: boolean): Promise<Condition[]> {
  const verdict = await findVerdict(ctx.db, pull, rule)
  const of = { repositoryId: pull.repository_id, oid: pull.head_oid }
  const { status_check_contexts: names, required_approvals: wanted } = rule
  const checks = rule.enable_status_check && (await findRequiredState(ctx.db, of, names))
  const all: readonly (Condition | false)[] = [
    checks !== false && { kind: 'checks', isMet: checks === 'success', names },
    wanted > 0 && { kind: 'approvals', isMet: verdict.approvals >= wanted, wanted, given: verdict.approvals },
    rule.block_on_rejected_reviews && { kind: 'not rejected', isMet: !verdict.isRejected },
    rule.block_on_official_review_requests && {
      kind: 'requests answered',
      isMet: !verdict.hasOfficialRequests,
    },
    rule.block_on_codeowner_reviews && { kind: 'owners', isMet: !verdict.lacksCodeOwners },
    rule.block_on_outdated_branch && { kind: 'up to date', isMet: !isBehind },
  ]
  return all.filter((it) => it !== false)
}
