/** Whose turn it is on an open pull request, and whether it is the caller's. Pure. */
import type { State } from '#domains/code/statuses'
import type { Mergeability } from '#domains/review/pulls'
import type { ReviewState } from '#domains/review/reviews'

/**
 * What a pull request waits for. Its author acts on `draft`, `conflicts`, `changes`, `failed` and `behind`; reviewers on
 * `review`; users who may merge on `ready`. `approval` waits for a review without a requested reviewer, the others for no
 * user.
 */
export type Turn =
  | 'draft'
  | 'conflicts'
  | 'changes'
  | 'failed'
  | 'review'
  | 'approval'
  | 'dependencies'
  | 'behind'
  | 'checks'
  | 'checking'
  | 'ready'

export interface TurnFacts {
  readonly isDraft: boolean
  /** `checking`: unknown for the current head. */
  readonly mergeability: Mergeability
  readonly checks: State | undefined
  /** The rule of the base branch requires checks. */
  readonly needsChecks: boolean
  readonly reviewState: ReviewState | undefined
  /** Approvals that the rule of the base branch requires are missing. */
  readonly lacksApprovals: boolean
  /** Reviewers are requested, and the rule of the base branch waits for them even if others have approved. */
  readonly hasBlockingRequests: boolean
  /** It depends on an open issue. */
  readonly isBlocked: boolean
  /** It is behind its base branch, and the rule forbids to merge it so. */
  readonly isOutdated: boolean
}

/** undefined if it cannot be merged and no user can change that: its commits are in the base already. */
export function decideTurn(facts: TurnFacts): Turn | undefined {
  const { isDraft, mergeability, checks, reviewState } = facts
  if (isDraft) return 'draft'
  if (mergeability === 'conflict' || mergeability === 'unrelated') return 'conflicts'
  if (mergeability === 'merged' || mergeability === 'error') return undefined
  if (reviewState === 'changes') return 'changes'
  if (checks === 'failure' || checks === 'error') return 'failed'
  return decideOthersTurn(facts)
}

/** Nothing is wrong with it: what it waits for before it can be merged. */
function decideOthersTurn(facts: TurnFacts): Turn {
  const { mergeability, checks, reviewState } = facts
  if (reviewState === 'waiting' || facts.hasBlockingRequests) return 'review'
  if (facts.lacksApprovals) return 'approval'
  if (facts.isBlocked) return 'dependencies'
  if (facts.isOutdated) return 'behind'
  if (checks === 'pending' || (checks === undefined && facts.needsChecks)) return 'checks'
  return mergeability === 'checking' ? 'checking' : 'ready'
}

export interface Caller {
  readonly isAuthor: boolean
  readonly mayMerge: boolean
  /** Their review, or that of their team, is requested and not given for this head. */
  readonly isRequested: boolean
}

/** Why the caller must act, or undefined. Without an approval, merging is a choice and no user's turn. */
export type OwnTurn = 'review' | 'conflicts' | 'changes' | 'failed' | 'behind' | 'ready'

export function decideOwnTurn(
  turn: Turn | undefined,
  { reviewState }: Pick<TurnFacts, 'reviewState'>,
  { isAuthor, mayMerge, isRequested }: Caller,
): OwnTurn | undefined {
  if (!isAuthor) return isRequested && turn !== 'draft' ? 'review' : undefined
  if (turn === 'ready') return mayMerge && reviewState === 'approved' ? 'ready' : undefined
  return AUTHORS.find((it) => it === turn)
}

const AUTHORS = ['conflicts', 'changes', 'failed', 'behind'] as const
