/** Webhook events of reviews, in the payloads of their pull requests. */

import { listTeamMemberIds } from '#domains/people/orgs'
import { pullPayloadOf } from '#domains/review/pulls'
import { findIssuesById } from '#domains/work/issues'
import type { Events } from '#events'
import type { Context } from '#platform/context'
import { type Webhook, webhook, webhookEvent } from '#slices'
import { findReview } from '../records/store.ts'

/** Team members that get a delivery; each is one delivery to every hook. */
const MEMBERS_TOLD_MAX = 100

const PAYLOADS = {
  approve: pullPayloadOf('pull_request_review_approved', 'author'),
  reject: pullPayloadOf('pull_request_review_rejected', 'author'),
  comment: pullPayloadOf('pull_request_review_comment', 'author'),
}
const requestPayload = pullPayloadOf('pull_request_review_request', 'actor')

export const reviewsWebhooks: readonly Webhook[] = [
  webhook('review.submitted', Object.values(PAYLOADS), async (ctx, event) => {
    const { repository_id, number, actor_id } = event
    const review = await findReview(ctx.db, event.issue_id, event.review_id)
    if (review === undefined) return []
    const payload = PAYLOADS[event.kind]
    const said = { type: payload.type, content: review.body }
    return [webhookEvent(payload, { repository_id, number, actor_id, action: 'reviewed', review: said })]
  }),
  webhook('review.requested', [requestPayload], async (ctx, event) => {
    const { repository_id, number, actor_id } = event
    const action = event.is_removed ? 'review_request_removed' : 'review_requested'
    const ids = await findReviewers(ctx, event)
    return ids.map((reviewer_id) =>
      webhookEvent(requestPayload, { repository_id, number, actor_id, action, reviewer_id }),
    )
  }),
]

/** Compat: a team request is delivered once per member except the author; its removal is not delivered. */
async function findReviewers(ctx: Context, event: Events['review.requested']): Promise<readonly number[]> {
  if (event.user_id !== null) return [event.user_id]
  if (event.team_id === null || event.is_removed) return []
  const [issue] = await findIssuesById(ctx.db, [event.issue_id])
  const ids = await listTeamMemberIds(ctx.db, event.team_id)
  return ids.filter((id) => id !== issue?.author_id).slice(0, MEMBERS_TOLD_MAX)
}
