/** Which pull requests wait for the caller's review, by the same condition as the search: one query for all. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { isReviewRequestedFrom } from './filter.ts'

/** The caller must have been shown these issues. */
export async function findRequestedReviews(
  { db, actor }: Context,
  issueIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (actor === null) return new Set()
  const rows = await db
    .selectFrom('issue')
    .select('issue.id')
    .where('issue.id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .where('issue.is_closed', '=', false)
    .where(isReviewRequestedFrom(actor.id))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
