/** Removes reviewers: a user is deleted, or a repository leaves its organization. */
import { dropTeams, retractEntries } from '#domains/work/issues'
import type { TxContext } from '#platform/context'
import { deleteReviews, listEntriesOf, listUnsubmitted } from './store.ts'

/** Keeps submitted reviews; deletes requests and pending reviews. */
export async function leaveReviews(ctx: TxContext, userId: number): Promise<void> {
  const reviews = await listUnsubmitted(ctx.db, userId)
  for (const { id, issue_id, kind } of reviews) {
    if (kind !== 'pending') continue
    const entries = await listEntriesOf(ctx.db, issue_id, id)
    await retractEntries(
      ctx,
      { id: issue_id },
      entries.map((it) => it.id),
    )
  }
  await deleteReviews(
    ctx.db,
    reviews.map(({ id }) => id),
  )
}

export async function leaveTeamsBehind(ctx: TxContext, repositoryId: number): Promise<void> {
  await ctx.db
    .deleteFrom('review')
    .using('pull_request')
    .whereRef('pull_request.issue_id', '=', 'review.issue_id')
    .where('pull_request.repository_id', '=', repositoryId)
    .where('review.team_id', 'is not', null)
    .execute()
  await dropTeams(ctx.db, repositoryId)
}
