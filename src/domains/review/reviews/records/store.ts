/** SQL on reviews. Reads take any handle; writes take a transaction that holds the issue lock. */
import { sql } from 'kysely'
import { isShownIn } from '#domains/work/issues'
import type { Context } from '#platform/context'
import type { Db, Paged, Tx } from '#platform/db'
import { PagedStatement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import type { NewReviewRow, ReviewRow } from '../tables.ts'

export function insertReview(tx: Tx, row: NewReviewRow): Promise<ReviewRow> {
  return tx.insertInto('review').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Returns rows in the order of `rows`. */
export function insertReviews(tx: Tx, rows: readonly NewReviewRow[]): Promise<ReviewRow[]> {
  return tx.insertInto('review').values(rows).returningAll().execute()
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

/** Without pending reviews of others. Compat: site administrators see these too. */
export function listReviews(ctx: Context, issueId: number, page: Page): Promise<Paged<ReviewRow>> {
  const { id: viewerId = 0, isAdmin = false } = ctx.actor ?? {}
  return LISTED.take(ctx.db, { issueId, viewerId, isAdmin }, page)
}

const LISTED = new PagedStatement(
  (db: Db, { issueId, viewerId, isAdmin }: { issueId: number; viewerId: number; isAdmin: boolean }) =>
    db
      .selectFrom('review')
      .selectAll()
      .where('issue_id', '=', issueId)
      .where(isShownIn('review', { actor: { isAdmin } }))
      .where((eb) => eb.or([eb('kind', '<>', 'pending'), eb('reviewer_id', '=', viewerId), eb.val(isAdmin)]))
      .orderBy('created_at')
      .orderBy('id'),
)

/** All review requests of a pull request. */
export function listRequests(db: Db, issueId: number): Promise<ReviewRow[]> {
  return db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('kind', '=', 'request')
    .orderBy('id')
    .execute()
}

/** The latest approval or rejection of each user, dismissed or not. */
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

/** Earlier reviews of these users stop being official. */
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

/** The state of each reviewer. Users without a review are not included. */
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

export function findPending(db: Db, issueId: number, userId: number): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', userId)
    .where('kind', '=', 'pending')
    .executeTakeFirst()
}

/** A user's new decision replaces the earlier ones. */
export async function replaceDecisions(tx: Tx, issueId: number, userId: number): Promise<void> {
  await unsetOfficial(tx, issueId, [userId])
  await dismissDecisions(tx, issueId, userId)
}

export async function dismissDecisions(tx: Tx, issueId: number, userId: number): Promise<void> {
  await tx
    .updateTable('review')
    .set({ is_dismissed: true })
    .where('issue_id', '=', issueId)
    .where('reviewer_id', '=', userId)
    .where('kind', 'in', ['approve', 'reject'])
    .where('is_dismissed', '=', false)
    .execute()
}

/** Reviews of the head itself are not stale. */
export async function markStale(tx: Tx, issueId: number, headOid: string): Promise<void> {
  await tx
    .updateTable('review')
    .set({ is_stale: sql<boolean>`head_oid <> ${headOid}` })
    .where('issue_id', '=', issueId)
    .where('kind', 'in', ['approve', 'comment', 'reject'])
    .execute()
}

export function dismissStale(tx: Tx, issueId: number, headOid: string, now: Date): Promise<ReviewRow[]> {
  return tx
    .updateTable('review')
    .set({ is_dismissed: true, updated_at: now })
    .where('issue_id', '=', issueId)
    .where('kind', '=', 'approve')
    .where('is_dismissed', '=', false)
    .where('head_oid', '<>', headOid)
    .returningAll()
    .execute()
}

/** Decisions that are not dismissed, and requests. */
export function listDeciding(db: Db, issueId: number): Promise<ReviewRow[]> {
  return db
    .selectFrom('review')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('kind', 'in', ['approve', 'reject', 'request'])
    .where('is_dismissed', '=', false)
    .execute()
}

/** Timeline entries of a review: its texts and line comments. */
export function listEntriesOf(db: Db, issueId: number, reviewId: number) {
  return db
    .selectFrom('issue_comment')
    .select(['id', 'kind'])
    .where('issue_id', '=', issueId)
    .where('kind', 'in', ['review', 'code'])
    .where(sql<boolean>`(payload ->> 'review_id')::bigint = ${reviewId}`)
    .execute()
}

/** All requests to a user and the user's pending reviews, in any repository. */
export function listUnsubmitted(db: Db, userId: number): Promise<ReviewRow[]> {
  return db
    .selectFrom('review')
    .selectAll()
    .where('reviewer_id', '=', userId)
    .where('kind', 'in', ['request', 'pending'])
    .execute()
}
