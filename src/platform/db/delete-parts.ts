/** Deletes what cron tasks sweep, however much there is. */
import { type Kysely, type RawBuilder, sql } from 'kysely'

const AT_ONCE = 5_000

/**
 * Some rows at a time: no transaction is long, and what nobody deleted for months is not one statement. By the places of the
 * rows, because not every table has a key of one column; a row that changed meanwhile stays.
 */
export async function deleteInParts<DB>(
  db: Kysely<DB>,
  table: keyof DB & string,
  condition: RawBuilder<boolean>,
): Promise<void> {
  const name = sql.table(table)
  for (let deleted = AT_ONCE; deleted === AT_ONCE; ) {
    const { numAffectedRows } = await sql`delete from ${name} where ctid = any(array(
      select ctid from ${name} where ${condition} limit ${AT_ONCE}))`.execute(db)
    deleted = Number(numAffectedRows)
  }
}
