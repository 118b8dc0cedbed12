/** SQL on timeline entries. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { type Viewer, type ViewerValues, viewerIn, viewerValues } from '#domains/people/users'
import type { Context } from '#platform/context'
import { countRows, type Db, type Paged, type PageRange, type Tx, takePage } from '#platform/db'
import { PagedStatement, Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import { isShownIn } from '../records/hidden.ts'
import { isSourceVisibleTo } from '../references/store.ts'
import type { EntryRow, IssueRow } from '../tables.ts'

/** By `updated_at`; null: unbounded. */
export interface Span {
  readonly since: Date | null
  readonly before: Date | null
}

/** An entry with its issue. */
export interface FoundEntry extends EntryRow {
  readonly number: number
  readonly is_pull: boolean
}

/** The API returns all comments of an issue in one response; the list ends here. */
const COMMENTS_MAX = 10_000
/** Spelled out so that the planner can use the partial index on comments. */
const IS_COMMENT = sql<boolean>`issue_comment.kind = 'comment'`

export function selectEntries(db: Db, issueId: number, { since, before }: Span) {
  let entries = db.selectFrom('issue_comment').where('issue_id', '=', issueId)
  if (since !== null) entries = entries.where('updated_at', '>=', since)
  if (before !== null) entries = entries.where('updated_at', '<=', before)
  return entries.selectAll().orderBy('created_at').orderBy('id')
}

/** Omits references from repositories that the caller may not see, and review comments, which reviews show. */
export function selectTimeline(caller: Caller, issueId: number, span: Span) {
  return selectEntries(caller.db, issueId, span)
    .where('kind', '<>', 'code')
    .where(isShownIn('issue_comment', caller))
    .where(isSourceVisibleTo(caller))
}

interface Caller {
  readonly db: Db
  readonly actor: Viewer | null
}

export function listEntries(
  ctx: Context,
  issueId: number,
  span: Span,
  { limit, offset }: Page,
): Promise<EntryRow[]> {
  return LISTED.rows(ctx.db, { issueId, ...span, ...viewerValues(ctx), limit, offset })
}

/** With the total. */
export function takeEntries(ctx: Context, issueId: number, span: Span, page: Page): Promise<Paged<EntryRow>> {
  return TAKEN.take(ctx.db, { issueId, ...span, ...viewerValues(ctx) }, page)
}

interface Wanted extends Span, ViewerValues {
  readonly issueId: number
}

const LISTED = new Statement((db: Db, { limit, offset, ...wanted }: Wanted & PageRange) =>
  selectWanted(db, wanted).limit(limit).offset(offset),
)
const TAKEN = new PagedStatement(selectWanted)

function selectWanted(db: Db, { issueId, since, before, ...viewer }: Wanted) {
  return selectTimeline({ db, ...viewerIn(viewer) }, issueId, { since, before })
}

export async function listComments(ctx: Context, issueId: number, span: Span): Promise<Paged<EntryRow>> {
  const all = selectEntries(ctx.db, issueId, span)
  const comments = all.where('kind', '=', 'comment').where(isShownIn('issue_comment', ctx))
  const items = await comments.limit(COMMENTS_MAX).execute()
  return { items, total: items.length < COMMENTS_MAX ? items.length : await countRows(comments) }
}

/** Of a whole repository; `isPull` selects issues or pull requests. */
export function selectCommentsOf(ctx: Context, repositoryId: number, isPull: boolean | null, span: Span) {
  const { since, before } = span
  let comments = ctx.db
    .selectFrom('issue_comment')
    .innerJoin('issue', 'issue.id', 'issue_comment.issue_id')
    .where('issue_comment.repository_id', '=', repositoryId)
    .where(IS_COMMENT)
    .where(isShownIn('issue_comment', ctx))
    .where(isShownIn('issue', ctx))
  if (isPull !== null) comments = comments.where('issue.is_pull', '=', isPull)
  if (since !== null) comments = comments.where('issue_comment.updated_at', '>=', since)
  if (before !== null) comments = comments.where('issue_comment.updated_at', '<=', before)
  return comments
    .selectAll('issue_comment')
    .select(['issue.number', 'issue.is_pull'])
    .orderBy('issue_comment.created_at')
    .orderBy('issue_comment.id')
}

export function listCommentsOf(
  ctx: Context,
  repositoryId: number,
  isPull: boolean | null,
  span: Span,
  page: Page,
): Promise<Paged<FoundEntry>> {
  const comments = selectCommentsOf(ctx, repositoryId, isPull, span)
  return takePage(comments, page, isPull === null ? selectCounted(ctx, repositoryId, span) : undefined)
}

/** The same comments, without reading the issue of each: 88,672 → 518 pages for 22,000 comments. */
function selectCounted({ actor, db }: Context, repositoryId: number, { since, before }: Span) {
  let comments = db
    .selectFrom('issue_comment')
    .where('issue_comment.repository_id', '=', repositoryId)
    .where(IS_COMMENT)
    .where(isShownIn('issue_comment', { actor }))
  if (actor?.isAdmin !== true)
    comments = comments.where(
      sql<boolean>`issue_comment.issue_id not in
        (select id from issue where repository_id = ${repositoryId} and is_hidden)`,
    )
  if (since !== null) comments = comments.where('issue_comment.updated_at', '>=', since)
  if (before !== null) comments = comments.where('issue_comment.updated_at', '<=', before)
  return comments
}

/** Undefined also if its author, or that of its issue, is suspended. */
export function findEntry(ctx: Context, repositoryId: number, id: number): Promise<FoundEntry | undefined> {
  return ctx.db
    .selectFrom('issue_comment')
    .innerJoin('issue', 'issue.id', 'issue_comment.issue_id')
    .selectAll('issue_comment')
    .select(['issue.number', 'issue.is_pull'])
    .where('issue_comment.id', '=', id)
    .where('issue_comment.repository_id', '=', repositoryId)
    .where(isShownIn('issue_comment', ctx))
    .where(isShownIn('issue', ctx))
    .executeTakeFirst()
}

/** The repository of an entry. */
export function findEntryPlace(db: Db, id: number) {
  return db.selectFrom('issue_comment').select('repository_id').where('id', '=', id).executeTakeFirst()
}

/** By id, in any repository. */
export async function findEntriesById(ctx: Context, ids: readonly number[]): Promise<FoundEntry[]> {
  if (ids.length === 0) return []
  return BY_IDS.rows(ctx.db, { ids: [...new Set(ids)], isAdmin: ctx.actor?.isAdmin ?? false })
}

const BY_IDS = new Statement((db: Db, { ids, isAdmin }: { ids: readonly number[]; isAdmin: boolean }) =>
  db
    .selectFrom('issue_comment')
    .innerJoin('issue', 'issue.id', 'issue_comment.issue_id')
    .selectAll('issue_comment')
    .select(['issue.number', 'issue.is_pull'])
    .where('issue_comment.id', 'in', ids)
    .where(isShownIn('issue_comment', { actor: { isAdmin } })),
)

/** The caller holds the issue lock, so no other transaction changes its entries. */
export function updateEntry(
  tx: Tx,
  id: number,
  patch: Pick<EntryRow, 'body' | 'content_version' | 'updated_at'>,
): Promise<EntryRow> {
  return tx
    .updateTable('issue_comment')
    .set(patch)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function listCommentIds(db: Db, issueId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('issue_comment')
    .select('id')
    .where('issue_id', '=', issueId)
    .where('kind', '=', 'comment')
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteEntries(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('issue_comment')
    .where('id', '=', sql<number>`any(${[...ids]}::bigint[])`)
    .execute()
}

/** A comment also sets the issue's `updated_at`. */
export async function countComments(
  tx: Tx,
  issue: Pick<IssueRow, 'id'>,
  by: 1 | -1,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('issue')
    .set((eb) => ({ comments: eb('comments', '+', by), updated_at: now }))
    .where('id', '=', issue.id)
    .execute()
}

/** Compat: reviews count as comments too, but the count is refreshed only when a line comment is added or deleted. */
export async function recountComments(tx: Tx, issue: Pick<IssueRow, 'id'>): Promise<void> {
  await sql`update issue set comments = (select count(*) from issue_comment
      where issue_comment.issue_id = issue.id and issue_comment.kind in ('comment', 'review'))
    where issue.id = ${issue.id}`.execute(tx)
}

/** The last comment of each issue. */
export async function listLastComments(
  db: Db,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (issueIds.length === 0) return new Map()
  const { rows } = await sql<{ issue_id: number; id: number }>`select issue.id as issue_id, last.id
    from unnest(${[...issueIds]}::bigint[]) as issue (id) cross join lateral (
      select issue_comment.id from issue_comment
      where issue_comment.issue_id = issue.id and issue_comment.kind = 'comment'
      order by issue_comment.created_at desc, issue_comment.id desc limit 1) as last`.execute(db)
  return new Map(rows.map(({ issue_id, id }) => [issue_id, id]))
}
