/** Feed entries of reviews. */
import type { Events } from '#events'
import type { Context } from '#platform/context'
import { type Act, type Activity, activity } from '#slices'
import { listLines } from './lines/store.ts'
import { findReview } from './records/store.ts'

const OPERATIONS = {
  approve: 'approve_pull_request',
  reject: 'reject_pull_request',
  comment: 'comment_pull',
} as const

/** Review comments per review that get a feed entry. */
const LINES_TOLD_MAX = 50
const CONTENT_LENGTH_MAX = 1_000

export const reviewsActivities: readonly Activity[] = [
  activity('review.submitted', async (ctx, event) => ({ ...event, acts: await actsOf(ctx, event) })),
  activity('review.dismissed', async (ctx, event) => {
    const reviewer = await findReviewer(ctx, event.review_id)
    const content = `${event.number}|${reviewer}|${firstLine(event.message)}`
    return { ...event, acts: [{ op_type: 'pull_review_dismissed', content }] }
  }),
]

/** Compat: each review comment has its own entry; the review has one only if it has a body or a decision. */
async function actsOf(ctx: Context, event: Events['review.submitted']): Promise<readonly Act[]> {
  const { number, kind, comment_id } = event
  const review = await findReview(ctx.db, event.issue_id, event.review_id)
  if (review === undefined) return []
  const lines = (await listLines(ctx.db, review.id)).slice(0, LINES_TOLD_MAX)
  const remarks: Act[] = lines.map((line) => ({
    op_type: 'comment_pull',
    content: `${number}|${firstLine(line.body)}`,
    comment_id: line.comment_id,
  }))
  const said = { op_type: OPERATIONS[kind], content: `${number}|${firstLine(review.body)}`, comment_id }
  return kind === 'comment' && review.body.trim() === '' ? remarks : [...remarks, said]
}

async function findReviewer(ctx: Context, reviewId: number): Promise<string> {
  const found = await ctx.db
    .selectFrom('review')
    .innerJoin('account', 'account.id', 'review.reviewer_id')
    .select('account.login')
    .where('review.id', '=', reviewId)
    .executeTakeFirst()
  return found?.login ?? ''
}

function firstLine(text: string): string {
  return (text.split(/\r?\n/, 1)[0] ?? '').slice(0, CONTENT_LENGTH_MAX).toWellFormed()
}
