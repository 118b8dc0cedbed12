/** Somebody is deleted: what they submitted stays, what was asked of them and what they had not submitted goes. */
import type { TxContext } from '#platform/context'

export async function leaveReviews(ctx: TxContext, userId: number): Promise<void> {
  await ctx.db
    .deleteFrom('review')
    .where('reviewer_id', '=', userId)
    .where('kind', 'in', ['request', 'pending'])
    .execute()
}
