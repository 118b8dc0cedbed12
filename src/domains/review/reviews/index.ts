/** Reviews: requests, reviews, comments on lines, code owners, and which reviews count. */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { reviewsActivities } from './activities.ts'
import { reviewOperations } from './internal-operations.ts'
import { followConsumers, followJobs } from './lines/follow.ts'
import { lineRoutes } from './lines/routes.ts'
import { ownersConsumers, ownersJobs } from './owners/check-owners.ts'
import { decideOfficialAgain, markReviewsStale } from './records/follow-head.ts'
import { leaveReviews, leaveTeamsBehind } from './records/leave.ts'
import { reviewRoutes } from './records/routes.ts'
import { askWithOpening } from './requests/opened.ts'
import { requestRoutes } from './requests/routes.ts'
import { reviewsWebhooks } from './webhooks/index.ts'

export { type ImportedLine, type ImportedReview, insertImportedReviews } from './imported/insert-imported.ts'
export { settleReviews } from './imported/settle.ts'
export { orderFollow } from './lines/follow.ts'
export type { PullLine } from './lines/show-lines.ts'
export type { ReviewProgress } from './progress/progress.ts'
export { findReviewTallies, type ReviewState, type ReviewTally } from './verdict/find-review-tallies.ts'
export { countsOnlyFresh, findLackingOwners, findVerdict } from './verdict/find-verdict.ts'

export const slice = defineSlice({
  name: 'reviews',
  tables: ['review', 'review_comment', 'code_owner', 'code_owner_check', 'review_look', 'viewed_change'],
  routes: [...requestRoutes, ...reviewRoutes, ...lineRoutes],
  internalOperations: reviewOperations,
  emits: ['review.requested', 'review.submitted', 'review.dismissed', 'issue.commented'],
  webhooks: reviewsWebhooks,
  activities: reviewsActivities,
  handlers: [
    handler('pull.opened', askWithOpening),
    handler('pull.synchronized', markReviewsStale),
    handler('pull.retargeted', decideOfficialAgain),
    handler('user.leaving', (ctx, { user_id }) => leaveReviews(ctx, user_id)),
    handler('repository.transferred', (ctx, { repository_id }) => leaveTeamsBehind(ctx, repository_id)),
  ],
  consumers: [...followConsumers, ...ownersConsumers],
  jobs: [...followJobs, ...ownersJobs],
})
