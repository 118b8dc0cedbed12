/**
 * The merge conditions of a pull request as one list. The web UI shows the list; a merge is refused by the first unmet
 * condition. Pure.
 */
import { must } from '#platform/must'
import type { BranchProtectionRow } from '../tables.ts'

/** Facts about a pull request. A null fact is unknown, and its condition is left out. */
export interface MergeFacts {
  readonly isDraft: boolean
  /** It depends on an open issue. */
  readonly isBlocked: boolean
  /** The result of git's trial merge of the head into the base. */
  readonly mergeability: string | null
  readonly conflictedPaths: readonly string[]
  /** Facts that a rule may demand; null without a rule. */
  readonly ruled: RuledFacts | null
}

export interface RuledFacts {
  /** The combined state of the status checks that the rule requires. */
  readonly checks: string | null
  /** The number of official approvals that count. */
  readonly approvals: number
  readonly isRejected: boolean
  readonly hasOfficialRequests: boolean
  readonly lacksCodeOwners: boolean
  /** The base has commits that the head lacks. */
  readonly isOutdated: boolean | null
}

export interface Condition {
  readonly kind:
    | 'ready'
    | 'unblocked'
    | 'mergeable'
    | 'checks'
    | 'approvals'
    | 'not rejected'
    | 'requests answered'
    | 'owners'
    | 'up to date'
  readonly isMet: boolean
  /** The mergeability, or the combined state of the checks. */
  readonly found?: string
  /** For approvals: the required and the present number. */
  readonly wanted?: number
  readonly given?: number
  /** Conflicted files, or contexts of checks. */
  readonly names?: readonly string[]
}

type Asked = Condition | false

/** In the order in which they refuse a merge. */
export function conditionsOf(rule: BranchProtectionRow | undefined, facts: MergeFacts): Condition[] {
  const { isDraft, isBlocked, mergeability, conflictedPaths: names } = facts
  const own: readonly Asked[] = [
    { kind: 'ready', isMet: !isDraft },
    { kind: 'unblocked', isMet: !isBlocked },
    mergeability !== null && {
      kind: 'mergeable',
      isMet: mergeability === 'mergeable' || mergeability === 'empty',
      found: mergeability,
      names,
    },
  ]
  const ruled = rule === undefined ? [] : askedBy(rule, must(facts.ruled, 'facts about the rule are known'))
  return [...own, ...ruled].filter((it) => it !== false)
}

export function unmetConditions(rule: BranchProtectionRow | undefined, facts: MergeFacts): Condition[] {
  return conditionsOf(rule, facts).filter(({ isMet }) => !isMet)
}

function askedBy(rule: BranchProtectionRow, facts: RuledFacts): readonly Asked[] {
  const { checks, approvals: given, isOutdated } = facts
  const { required_approvals: wanted, status_check_contexts: names } = rule
  return [
    rule.enable_status_check &&
      checks !== null && { kind: 'checks', isMet: checks === 'success', found: checks, names },
    wanted > 0 && { kind: 'approvals', isMet: given >= wanted, wanted, given },
    rule.block_on_rejected_reviews && { kind: 'not rejected', isMet: !facts.isRejected },
    rule.block_on_official_review_requests && {
      kind: 'requests answered',
      isMet: !facts.hasOfficialRequests,
    },
    rule.block_on_codeowner_reviews && { kind: 'owners', isMet: !facts.lacksCodeOwners },
    rule.block_on_outdated_branch && isOutdated !== null && { kind: 'up to date', isMet: !isOutdated },
  ]
}
