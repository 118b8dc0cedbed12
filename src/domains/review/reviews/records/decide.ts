/** The decision whether a review is allowed. Facts in, a refusal or nothing out. */
import { forbidden, invalid, type Problem } from '#platform/problem'
import type { ReviewKind } from '../tables.ts'

export interface Reviewing {
  readonly kind: Exclude<ReviewKind, 'request'>
  readonly body: string
  readonly hasRemarks: boolean
  readonly isAuthor: boolean
  /** The reviewer is a job token, which any user who may push a workflow controls. */
  readonly isJob: boolean
  readonly isOpen: boolean
}

/**
 * Authors cannot approve or reject their own pull request, and a closed one takes no decision; both take comments.
 * D54: only an approval may say nothing; any other review needs a body or comments on lines.
 */
export function judgeReview(reviewing: Reviewing): Problem | undefined {
  const { kind, body, hasRemarks, isAuthor, isJob, isOpen } = reviewing
  const saysNothing = body.trim() === '' && !hasRemarks
  const decides = kind === 'approve' || kind === 'reject'
  if (decides && isJob) return forbidden('a job can comment, but neither approve nor request changes')
  if (decides && isAuthor)
    return invalid(`${kind === 'approve' ? 'approving' : 'rejecting'} your own pull request is not allowed`)
  if (kind !== 'approve' && saysNothing) return invalid('review requires a body or a comment')
  if (decides && !isOpen) return invalid('cannot submit a review of a closed or merged pull request')
  return undefined
}

export function judgeDismissal(kind: ReviewKind, isOpen: boolean): Problem | undefined {
  if (kind !== 'approve' && kind !== 'reject')
    return forbidden('only a review that approves or requests changes can be dismissed')
  return isOpen ? undefined : forbidden('cannot dismiss a review of a closed or merged pull request')
}
