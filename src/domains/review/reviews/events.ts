/** Events of reviews. */
import type { IssueEvent } from '#domains/work/issues'

declare module '#events' {
  interface Events {
    'review.submitted': IssueEvent & {
      readonly review_id: number
      /** The timeline entry that has the review's body. */
      readonly comment_id: number
      readonly kind: 'approve' | 'reject' | 'comment'
      /** Mentioned users who may read the pull request. */
      readonly mentions: readonly number[]
    }
    'review.requested': RequestEvent
    'review.dismissed': IssueEvent & { readonly review_id: number; readonly message: string }
  }
}

/** A review of a user or team is requested, or the request is removed. */
export interface RequestEvent extends IssueEvent {
  readonly user_id: number | null
  readonly team_id: number | null
  readonly is_removed: boolean
}
