/**
 * What a pull request needs to land, as one list: pages show it, and whoever merges is refused by the first condition
 * that is not met. Facts in, conditions out.
 */
import { must } from '#platform/must'
import type { BranchProtectionRow } from '../tables.ts'

/** What is known of a pull request that is to land. What is null is not known here, and its condition is left out. */
export interface MergeFacts {
  readonly isDraft: boolean
  /** It depends on an issue that is open. */
  readonly isBlocked: boolean
  /** What git said of merging the head into the base. */
  readonly mergeability: string | null
  readonly conflictedPaths: readonly string[]
  /** What a rule may ask for; null where there is no rule. */
  readonly ruled: RuledFacts | null
}

export interface RuledFacts {
  /** What the status checks that the rule requires come to. */
  readonly checks: string | null
  /** Official reviews that count. */
  readonly approvals: number
  readonly isRejected: boolean
  readonly hasOfficialRequests: boolean
  readonly lacksCodeOwners: boolean
  /** The base has commits that the head has not. */
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
  /** What git or the checks said. */
  readonly found?: string
  /** Of approvals: how many are asked for, and how many there are. */
  readonly wanted?: number
  readonly given?: number
  /** Files in conflict, or contexts of checks. */
  readonly names?: readonly string[]
}

type Asked = Condition | false

/** In the order in which they refuse. */
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
