/** Deletes what cron tasks sweep, however much there is. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from './index.ts'

const AT_ONCE = 5_000

/** Some rows at a time: no transaction is long, and what nobody deleted for months is not one statement. */
export async function deleteInParts(
  db: Db,
  table: keyof Tables,
  condition: RawBuilder<boolean>,
): Promise<void> {
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const { numAffectedRows } = await deletePart(table, condition).execute(db)
    deleted = Number(numAffectedRows)
  }
}

/** By the places of the rows: not every table has a key of one column. A row that changed meanwhile stays. */
function deletePart(table: keyof Tables, condition: RawBuilder<boolean>): RawBuilder<unknown> {
  const name = sql.table(table)
  return sql`delete from ${name} where ctid = any(array(
    select ctid from ${name} where ${condition} limit ${AT_ONCE}))`
}
