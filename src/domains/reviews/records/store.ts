/** SQL on reviews. Reads take any handle; writes take a transaction that holds the lock of the issue. */
import { sql } from 'kysely'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { NewReviewRow, ReviewRow } from '../tables.ts'

export function insertReview(tx: Tx, row: NewReviewRow): Promise<ReviewRow> {
  return tx.insertInto('review').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateReview(
  tx: Tx,
  id: number,
  patch: Partial<Omit<ReviewRow, 'id' | 'issue_id'>>,
): Promise<ReviewRow> {
  return tx.updateTable('review').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteReviews(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('review')
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
}

export function findReview(db: Db, issueId: number, id: number): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('review')
    .selectAll()
    .where('id', '=', id)
    .where('issue_id', '=', issueId)
    .executeTakeFirst()
}

/** What somebody has not submitted yet is seen by them alone; `viewerId` null is everybody's eye. */
export function listReviews(
  db: Db,
  issueId: number,
  viewerId: number | null,
  page: Page,
): Promise<Paged<ReviewRow>> {
  let reviews = db.selectFrom('review').where('issue_id', '=', issueId)
  if (viewerId !== null)
    reviews = reviews.where((eb) => eb.or([eb('kind', '<>', 'pending'), eb('reviewer_id', '=', viewerId)]))
  return takePage(reviews.selectAll().orderBy('created_at').orderBy('id'), page)
}

/** All that is asked for. */
export function listRequests(db: Db, issueId: number): Promise<ReviewRow[]> {
  return db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('kind', '=', 'request')
    .orderBy('id')
    .execute()
}

/** The latest that each of them has decided, dismissed or not. */
export async function findDecisions(
  db: Db,
  issueId: number,
  userIds: readonly number[],
): Promise<Map<number, ReviewRow>> {
  const rows = await db
    .selectFrom('review')
    .selectAll()
    .distinctOn('reviewer_id')
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .where('kind', 'in', ['approve', 'reject'])
    .orderBy('reviewer_id')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.flatMap((row) => (row.reviewer_id === null ? [] : [[row.reviewer_id, row] as const])))
}

/** What these people said before counts no more. */
export async function unsetOfficial(tx: Tx, issueId: number, userIds: readonly number[]): Promise<void> {
  await tx
    .updateTable('review')
    .set({ is_official: false })
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .where('is_official', '=', true)
    .execute()
}

export async function setOfficial(tx: Tx, ids: readonly number[], isOfficial: boolean): Promise<void> {
  await tx
    .updateTable('review')
    .set({ is_official: isOfficial })
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .where('is_official', '<>', isOfficial)
    .execute()
}

/** What each of them is to a pull request now. Whoever has no review at all is not among them. */
export function listStates(db: Db, issueId: number, userIds: readonly number[]) {
  return db
    .selectFrom('review')
    .select([
      'reviewer_id',
      sql<boolean>`bool_or(kind = 'request')`.as('is_requested'),
      sql<boolean>`bool_or(kind in ('approve', 'comment', 'reject'))`.as('has_reviewed'),
      sql<boolean>`bool_or(kind in ('approve', 'comment', 'reject') and not is_dismissed)`.as('has_standing'),
    ])
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .groupBy('reviewer_id')
    .execute()
}
