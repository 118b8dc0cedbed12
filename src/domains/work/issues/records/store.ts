/** SQL on issues. Reads take any handle; writes take a transaction. */
import type { TxContext } from '#platform/context'
import { CUSTOM_PLAN, type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import { conditionsOf, type IssueFilter } from '../search/filter.ts'
import type { IssuePatch, IssueRow, NewIssueRow } from '../tables.ts'

/** Invariant: given once. Whoever takes one has the counter of the repository to themselves until they are done. */
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

/** Something was said of it by way of something else. */
export async function touchIssue(ctx: TxContext, id: number): Promise<void> {
  await updateIssue(ctx.db, id, { updated_at: ctx.now() })
}

export async function deleteIssueRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('issue').where('id', '=', id).execute()
}

export function findIssue(db: Db, repositoryId: number, number: number): Promise<IssueRow | undefined> {
  return selectIssue(db, repositoryId, number).executeTakeFirst()
}

export function findIssuesById(db: Db, ids: readonly number[]): Promise<IssueRow[]> {
  return db
    .selectFrom('issue')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute()
}

/** Where it is, by what no client calls it. */
export function findIssuePlace(db: Db, id: number) {
  return db.selectFrom('issue').select(['repository_id', 'number']).where('id', '=', id).executeTakeFirst()
}

/** Several at once. Invariant: the lower id is locked before the higher, whoever needs more than one. */
export function lockIssues(tx: Tx, ids: readonly number[]): Promise<IssueRow[]> {
  return tx.selectFrom('issue').selectAll().where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
}

/** Whoever changes an issue holds its lock, so that changes come one after the other. */
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

/** Custom plan: which index is best depends on what is asked for. */
export function selectIssues(db: Db, repositoryId: number, filter: IssueFilter) {
  let issues = db.selectFrom('issue').where('repository_id', '=', repositoryId).modifyEnd(CUSTOM_PLAN)
  if (filter.isClosed !== null) issues = issues.where('is_closed', '=', filter.isClosed)
  if (filter.isPull !== null) issues = issues.where('is_pull', '=', filter.isPull)
  for (const condition of conditionsOf(filter)) issues = issues.where(condition)
  return issues
}

/** The latest first. */
export function listIssues(
  db: Db,
  repositoryId: number,
  filter: IssueFilter,
  page: Page,
): Promise<Paged<IssueRow>> {
  const issues = selectIssues(db, repositoryId, filter)
  return takePage(issues.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
}
