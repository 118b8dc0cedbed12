/** SQL on columns. Reads take any handle; writes take a transaction that holds the project lock. */
import { sql } from 'kysely'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { HeldProject } from '../records/store.ts'
import type { ColumnPatch, ColumnRow, NewColumnRow } from '../tables.ts'

export async function insertColumns(tx: Tx, rows: readonly NewColumnRow[]): Promise<ColumnRow[]> {
  if (rows.length === 0) return []
  return tx
    .insertInto('project_column')
    .values([...rows])
    .returningAll()
    .execute()
}

export function updateColumn(tx: Tx, id: number, patch: ColumnPatch): Promise<ColumnRow> {
  return tx
    .updateTable('project_column')
    .set(patch)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteColumnRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('project_column').where('id', '=', id).execute()
}

export function findColumn(db: Db, projectId: number, id: number): Promise<ColumnRow | undefined> {
  return selectColumns(db, projectId).where('id', '=', id).executeTakeFirst()
}

/** By sorting, on ties the older first. */
export function selectColumns(db: Db, projectId: number) {
  return db
    .selectFrom('project_column')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('sorting')
    .orderBy('id')
}

export function listColumns(db: Db, projectId: number, page: Page): Promise<Paged<ColumnRow>> {
  return takePage(selectColumns(db, projectId), page)
}

/** All columns: there are few. */
export function findColumns(db: Db, { id }: HeldProject): Promise<ColumnRow[]> {
  return selectColumns(db, id).execute()
}

/** Sets the order of `ids`. */
export async function setOrder(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await sql`update project_column set sorting = place - 1, updated_at = ${now}
    from unnest(${[...ids]}::bigint[]) with ordinality as given (id, place)
    where project_column.id = given.id`.execute(tx)
}

/** Clears the default of the other columns. */
export async function setDefault(tx: Tx, projectId: number, id: number): Promise<void> {
  await tx
    .updateTable('project_column')
    .set({ is_default: false })
    .where('project_id', '=', projectId)
    .where('is_default', '=', true)
    .where('id', '<>', id)
    .execute()
  await tx.updateTable('project_column').set({ is_default: true }).where('id', '=', id).execute()
}
