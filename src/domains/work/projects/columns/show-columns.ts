/** Loads columns with their creators: a fixed number of queries. */
import { findAccountsById } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { ColumnRow } from '../tables.ts'
import { type ProjectColumn, presentColumn } from './wire.ts'

export async function showColumns(ctx: Context, columns: readonly ColumnRow[]): Promise<ProjectColumn[]> {
  const creators = columns.flatMap(({ creator_id }) => creator_id ?? [])
  const accounts = await findAccountsById(ctx.db, creators)
  return columns.map((column) => presentColumn(column, { viewer: ctx.actor, accounts, site: ctx.site }))
}

export async function showColumn(ctx: Context, column: ColumnRow): Promise<ProjectColumn> {
  const [shown] = await showColumns(ctx, [column])
  return shown as ProjectColumn
}
