/** SQL on review comments. Reads take any handle; writes take a transaction that holds the issue lock. */
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db'
import type { LineRow, NewLineRow } from '../tables.ts'

/** A review comment with its text, which is a timeline entry. */
export interface Line extends LineRow {
  readonly author_id: number | null
  readonly body: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** The API returns all comments of a review in one response; the list ends here. */
const LINES_MAX = 1_000

export async function insertLines(tx: Tx, rows: readonly NewLineRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('review_comment').values(rows).execute()
}

function selectLines(db: Db) {
  return (
    db
      .selectFrom('review_comment')
      .innerJoin('issue_comment', 'issue_comment.id', 'review_comment.comment_id')
      .selectAll('review_comment')
      .select([
        'issue_comment.author_id',
        'issue_comment.body',
        'issue_comment.created_at',
        'issue_comment.updated_at',
      ])
      // Comments of suspended accounts.
      .where('issue_comment.is_hidden', '=', false)
  )
}

export function listLines(db: Db, reviewId: number): Promise<Line[]> {
  return selectLines(db)
    .where('review_comment.review_id', '=', reviewId)
    .orderBy('issue_comment.created_at')
    .orderBy('issue_comment.id')
    .limit(LINES_MAX)
    .execute()
}

/** All review comments of a pull request; of pending reviews, only the reader's own. */
export function listLinesOf(db: Db, issueId: number, readerId: number): Promise<Line[]> {
  return selectLinesOf(db, issueId, readerId).execute()
}

export function selectLinesOf(db: Db, issueId: number, readerId: number) {
  return selectLines(db)
    .innerJoin('review', 'review.id', 'review_comment.review_id')
    .where('review_comment.issue_id', '=', issueId)
    .where((eb) => eb.or([eb('review.kind', '<>', 'pending'), eb('review.reviewer_id', '=', readerId)]))
    .orderBy('issue_comment.created_at')
    .orderBy('issue_comment.id')
    .limit(LINES_MAX)
}

/** The same, restricted to these ids. */
export function listLinesById(
  db: Db,
  issueId: number,
  readerId: number,
  ids: readonly number[],
): Promise<Line[]> {
  return selectLinesOf(db, issueId, readerId)
    .where('review_comment.comment_id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
}

export function findLine(db: Db, commentId: number): Promise<Line | undefined> {
  return selectLines(db).where('review_comment.comment_id', '=', commentId).executeTakeFirst()
}

/** Number of comments of each review. */
export async function countLines(db: Db, reviewIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('review_comment')
    .select((eb) => ['review_id', eb.fn.countAll<number>().as('count')])
    .where('review_id', '=', sql<number>`any(${[...reviewIds]}::bigint[])`)
    .groupBy('review_id')
    .execute()
  return new Map(rows.map(({ review_id, count }) => [review_id, count]))
}

export async function setResolver(tx: Tx, commentId: number, resolverId: number | null): Promise<void> {
  await tx
    .updateTable('review_comment')
    .set({ resolver_id: resolverId })
    .where('comment_id', '=', commentId)
    .execute()
}

/** Resolves only comments that are not resolved yet. */
export async function settleLines(tx: Tx, commentIds: readonly number[], resolverId: number): Promise<void> {
  await tx
    .updateTable('review_comment')
    .set({ resolver_id: resolverId })
    .where('comment_id', '=', sql<number>`any(${[...commentIds]}::bigint[])`)
    .where('resolver_id', 'is', null)
    .execute()
}

/** Comments that have not been placed in the current head yet. */
export function listBehind(db: Db, issueId: number, headOid: string, limit: number): Promise<LineRow[]> {
  return db
    .selectFrom('review_comment')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('current_head_oid', '<>', headOid)
    .orderBy('comment_id')
    .limit(limit)
    .execute()
}

/** After a change of base, comments on removed lines must be placed again. */
export async function loseOldSides(tx: Tx, issueId: number): Promise<void> {
  await tx
    .updateTable('review_comment')
    .set({ current_head_oid: '' })
    .where('issue_id', '=', issueId)
    .where('side', '=', 'old')
    .execute()
}

export type FoundPlace = Pick<
  LineRow,
  'comment_id' | 'current_oid' | 'current_path' | 'current_line' | 'current_start_line'
>

export async function setPlaces(tx: Tx, headOid: string, found: readonly FoundPlace[]): Promise<void> {
  await sql`update review_comment set current_head_oid = ${headOid}, current_oid = found.oid,
      current_path = found.path, current_line = found.line, current_start_line = found.start_line
    from unnest(${found.map((it) => it.comment_id)}::bigint[], ${found.map((it) => it.current_oid)}::text[],
      ${found.map((it) => it.current_path)}::text[], ${found.map((it) => it.current_line)}::bigint[],
      ${found.map((it) => it.current_start_line)}::bigint[]) as found (comment_id, oid, path, line, start_line)
    where review_comment.comment_id = found.comment_id`.execute(tx)
}
