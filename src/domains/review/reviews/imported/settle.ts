/** SQL that gives imported reviews to an account, or takes them back. They count for no branch protection either way. */
import { sql } from 'kysely'
import type { AuthorBatch } from '#domains/work/issues'
import type { Tx } from '#platform/db'

/** Returns the last id; undefined if none was left. */
export async function settleReviews(
  tx: Tx,
  { hostId, authorId, accountId, isHidden, after, limit }: AuthorBatch,
): Promise<number | undefined> {
  const rows = await tx
    .updateTable('review')
    .set({ reviewer_id: accountId, is_hidden: isHidden })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('review')
        .select('id')
        .where('import_host_id', '=', hostId)
        .where('original_author_id', '=', authorId)
        .where('id', '>', after)
        .where(sql<boolean>`reviewer_id is distinct from ${accountId}::bigint`)
        .orderBy('id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute()
  return rows.length === 0 ? undefined : Math.max(...rows.map(({ id }) => id))
}
