/** Gives imported reviews to an account, or takes them back. They count for no branch protection either way. */
import { type AuthorBatch, settleRecords } from '#domains/work/issues'
import type { Tx } from '#platform/db'

export function settleReviews(tx: Tx, batch: AuthorBatch): Promise<number | undefined> {
  return settleRecords(tx, { table: 'review', author: 'reviewer_id' }, batch)
}
