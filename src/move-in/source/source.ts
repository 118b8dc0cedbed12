/** The database that is moved in: rows in batches by id, never a whole table in memory. */
import { OperatorError } from '#platform/operator-error'
import type { Installation } from './app-ini.ts'
import type { Driver } from './driver.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface Source extends Driver {
  readonly version: number
  has(table: string, column?: string): boolean
}

/** Database versions of Gitea 1.22 and of the Forgejo releases that still upgrade in step with it. */
const VERSION_LEAST = 299

export async function openSource(installation: Installation): Promise<Source> {
  const { kind } = installation.database
  if (kind === 'mysql') throw new OperatorError('databases of type "mysql" cannot be read yet')
  const driver =
    kind === 'postgres' ? await openPostgres(installation.database) : openSqlite(installation.database.path)
  try {
    const columns = await listColumns(driver, kind)
    if (!columns.has('version') || !columns.has('repository'))
      throw new OperatorError('the database of app.ini has no tables of Gitea or Forgejo')
    const [row] = await driver.rows('select version from version where id = 1')
    const version = Number(row?.version ?? 0)
    if (version < VERSION_LEAST)
      throw new OperatorError(
        `the database has version ${version}; update to Gitea 1.22 or later first (${VERSION_LEAST})`,
      )
    return {
      version,
      rows: (sql) => driver.rows(sql),
      close: () => driver.close(),
      has: (table, column) => columns.get(table)?.has(column ?? 'id') ?? false,
    }
  } catch (error) {
    await driver.close()
    throw error
  }
}

async function listColumns(driver: Driver, kind: 'postgres' | 'sqlite3'): Promise<Map<string, Set<string>>> {
  const rows = await driver.rows(
    kind === 'postgres'
      ? `select table_name as "table", column_name as "column" from information_schema.columns
         where table_schema = any(current_schemas(false))`
      : `select m.name as "table", c.name as "column" from sqlite_master as m, pragma_table_info(m.name) as c
         where m.type = 'table'`,
  )
  const columns = new Map<string, Set<string>>()
  for (const row of rows) {
    const table = String(row.table)
    columns.set(table, (columns.get(table) ?? new Set()).add(String(row.column)))
  }
  return columns
}
