/** Deletes a review with its comments, for the reviewer. */

import { countReviewComments, openPullToJoin, type PullCaller } from '#domains/review/pulls'
import { retractEntries } from '#domains/work/issues'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid } from '#platform/problem'
import { openReview } from './open-review.ts'
import { tellOfPeople } from './reviewers.ts'
import { deleteReviews, listEntriesOf } from './store.ts'

export function deleteReview(
  ctx: Context,
  { tracker, actor }: PullCaller,
  number: number,
  id: number,
): Promise<void> {
  return transact(ctx, async (ctx) => {
    const { issue, pull } = await openPullToJoin(ctx, tracker, number)
    const review = await openReview(ctx, pull, id)
    if (review.reviewer_id !== actor.id && !actor.isAdmin)
      throw forbidden('only the reviewer may delete a review')
    if (review.kind === 'request') throw invalid('a review request is withdrawn, not deleted')
    const entries = await listEntriesOf(ctx.db, issue.id, id)
    const counted = entries.filter(({ kind }) => kind === 'review').length
    await retractEntries(
      ctx,
      issue,
      entries.map((it) => it.id),
    )
    await countReviewComments(ctx.db, pull.issue_id, -counted)
    await deleteReviews(ctx.db, [id])
    if (review.reviewer_id !== null) await tellOfPeople(ctx, pull.issue_id, [review.reviewer_id])
  })
}
