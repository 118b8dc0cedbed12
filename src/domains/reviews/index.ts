/**
 * Reviews: who is asked to look at a pull request, what they say of it and of its lines, and whether that counts.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { leaveReviews } from './records/leave.ts'
import { askWithOpening } from './requests/opened.ts'
import { requestRoutes } from './requests/routes.ts'
import { reviewsWebhooks } from './webhooks/index.ts'

export const slice = defineSlice({
  name: 'reviews',
  tables: ['review', 'review_comment'],
  routes: [...requestRoutes],
  emits: ['review.requested'],
  webhooks: reviewsWebhooks,
  handlers: [
    handler('pull.opened', askWithOpening),
    handler('user.leaving', (ctx, { user_id }) => leaveReviews(ctx, user_id)),
  ],
})
