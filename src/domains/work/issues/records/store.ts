/** SQL on issues. Reads take any handle; writes take a transaction. */
import type { TxContext } from '#platform/context'
import { CUSTOM_PLAN, type Db, type Paged, type Tx, takePage } from '#platform/db'
import { PagedStatement, Statement } from '#platform/db/statement'
import { must } from '#platform/must'
import type { Page } from '#platform/rest'
import { conditionsOf, type IssueFilter } from '../search/filter.ts'
import type { IssuePatch, IssueRow, NewIssueRow } from '../tables.ts'

/** Invariant: numbers are unique. The row lock on `issue_number` is held until the transaction ends. */
export async function takeNumber(tx: Tx, repositoryId: number): Promise<number> {
  const { last } = await tx
    .insertInto('issue_number')
    .values({ repository_id: repositoryId, last: 1 })
    .onConflict((conflict) =>
      conflict.column('repository_id').doUpdateSet((eb) => ({ last: eb('issue_number.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export function insertIssue(tx: Tx, row: NewIssueRow): Promise<IssueRow> {
  return tx.insertInto('issue').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateIssue(tx: Tx, id: number, patch: IssuePatch): Promise<IssueRow> {
  return tx.updateTable('issue').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Sets `updated_at` after a change elsewhere that concerns the issue. */
export async function touchIssue(ctx: TxContext, id: number): Promise<void> {
  await updateIssue(ctx.db, id, { updated_at: ctx.now() })
}

export async function deleteIssueRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('issue').where('id', '=', id).execute()
}

export function findIssue(db: Db, repositoryId: number, number: number): Promise<IssueRow | undefined> {
  return NUMBERED.first(db, { repositoryId, number })
}

const NUMBERED = new Statement((db: Db, { repositoryId, number }: { repositoryId: number; number: number }) =>
  selectIssue(db, repositoryId, number),
)

export function findIssuesById(db: Db, ids: readonly number[]): Promise<IssueRow[]> {
  return BY_IDS.rows(db, { ids: [...new Set(ids)] })
}

const BY_IDS = new Statement((db: Db, { ids }: { ids: readonly number[] }) =>
  db.selectFrom('issue').selectAll().where('id', 'in', ids),
)

/** Repository and number of an issue by its id. */
export function findIssuePlace(db: Db, id: number) {
  return db.selectFrom('issue').select(['repository_id', 'number']).where('id', '=', id).executeTakeFirst()
}

/** Invariant: lower ids are locked before higher ones, in every transaction that locks several. */
export function lockIssues(tx: Tx, ids: readonly number[]): Promise<IssueRow[]> {
  return tx.selectFrom('issue').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** Changes of an issue are serialized by this lock. */
export function lockIssue(tx: Tx, repositoryId: number, number: number): Promise<IssueRow | undefined> {
  return selectIssue(tx, repositoryId, number).forNoKeyUpdate().executeTakeFirst()
}

function selectIssue(db: Db, repositoryId: number, number: number) {
  return db
    .selectFrom('issue')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', number)
}

/** Custom plan: the best index depends on the filters. */
export function selectIssues(db: Db, repositoryId: number, filter: IssueFilter) {
  let issues = db.selectFrom('issue').where('repository_id', '=', repositoryId).modifyEnd(CUSTOM_PLAN)
  if (filter.isClosed !== null) issues = issues.where('is_closed', '=', filter.isClosed)
  if (filter.isPull !== null) issues = issues.where('is_pull', '=', filter.isPull)
  for (const condition of conditionsOf(filter)) issues = issues.where(condition)
  return issues
}

export type IssueSort = 'latest' | 'oldest' | 'recentupdate' | 'leastupdate' | 'mostcomment' | 'nearduedate'

/** Column and direction of each order. */
export const ORDERS: Readonly<Record<IssueSort, readonly [Column, 'asc' | 'desc']>> = {
  latest: ['created_at', 'desc'],
  oldest: ['created_at', 'asc'],
  recentupdate: ['updated_at', 'desc'],
  leastupdate: ['updated_at', 'asc'],
  mostcomment: ['comments', 'desc'],
  nearduedate: ['deadline_at', 'asc'],
}
type Column = 'created_at' | 'updated_at' | 'comments' | 'deadline_at'

/**
 * Only `created_at` has indexes: one on `updated_at` would be written by every comment. The other orders sort what matches
 * in one repository. Issues without a deadline are last.
 */
export function listIssues(
  db: Db,
  repositoryId: number,
  filter: IssueFilter,
  sort: IssueSort,
  page: Page,
): Promise<Paged<IssueRow>> {
  const { conditions, ...facts } = filter
  if (conditions.length > 0) return takePage(selectSorted(db, repositoryId, filter, sort), page)
  return LISTED[sort].take(db, { repositoryId, ...facts }, page)
}

function selectSorted(db: Db, repositoryId: number, filter: IssueFilter, sort: IssueSort) {
  const [column, direction] = ORDERS[sort]
  const issues = selectIssues(db, repositoryId, filter).selectAll()
  return issues.orderBy(column, direction).orderBy('id', direction)
}

/** A filter without further conditions. */
type Facts = Omit<IssueFilter, 'conditions'> & { readonly repositoryId: number }

const LISTED = {
  latest: listedBy('latest'),
  oldest: listedBy('oldest'),
  recentupdate: listedBy('recentupdate'),
  leastupdate: listedBy('leastupdate'),
  mostcomment: listedBy('mostcomment'),
  nearduedate: listedBy('nearduedate'),
}

function listedBy(sort: IssueSort) {
  return new PagedStatement((db: Db, { repositoryId, ...facts }: Facts) =>
    selectSorted(db, repositoryId, { ...facts, conditions: [] }, sort),
  )
}

export interface StateCounts {
  readonly open: number
  readonly closed: number
}

/** The state of the filter does not matter. */
export async function countStates(db: Db, repositoryId: number, filter: IssueFilter): Promise<StateCounts> {
  const { conditions, ...facts } = { ...filter, isClosed: null }
  const [counts] =
    conditions.length > 0
      ? await selectCounts(db, repositoryId, { ...facts, conditions }).execute()
      : await COUNTED.rows(db, { repositoryId, ...facts })
  return must(counts, 'an aggregate has one row')
}

function selectCounts(db: Db, repositoryId: number, filter: IssueFilter) {
  return selectIssues(db, repositoryId, filter).select(({ fn }) => [
    fn.countAll<number>().filterWhere('is_closed', '=', false).as('open'),
    fn.countAll<number>().filterWhere('is_closed', '=', true).as('closed'),
  ])
}

const COUNTED = new Statement((db: Db, { repositoryId, ...facts }: Facts) =>
  selectCounts(db, repositoryId, { ...facts, conditions: [] }),
)
