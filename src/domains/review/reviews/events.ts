/** What is told about reviews. */
import type { IssueEvent } from '#domains/work/issues'

declare module '#events' {
  interface Events {
    'review.submitted': IssueEvent & {
      readonly review_id: number
      /** The entry of the timeline that has its text. */
      readonly comment_id: number
      readonly kind: 'approve' | 'reject' | 'comment'
      /** Whom its texts name that may read them. */
      readonly mentions: readonly number[]
    }
    'review.requested': RequestEvent
    'review.dismissed': IssueEvent & { readonly review_id: number; readonly message: string }
  }
}

/** Of a person or of a team; or they are asked no more. */
export interface RequestEvent extends IssueEvent {
  readonly user_id: number | null
  readonly team_id: number | null
  readonly is_removed: boolean
}
