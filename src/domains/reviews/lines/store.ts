/** SQL on remarks on lines. Reads take any handle; writes take a transaction that holds the lock of the issue. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'

/** How many each review has. */
export async function countLines(db: Db, reviewIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('review_comment')
    .select((eb) => ['review_id', eb.fn.countAll<number>().as('count')])
    .where('review_id', '=', sql<number>`any(${[...reviewIds]}::bigint[])`)
    .groupBy('review_id')
    .execute()
  return new Map(rows.map(({ review_id, count }) => [review_id, count]))
}
