/** The source of a move-in: its rows, read in batches by id so that memory never holds a whole table, and its files. */
import { OperatorError } from '#platform/operator-error'
import type { DatabaseKind, DatabaseSettings, Installation } from './app-ini.ts'
import type { Driver } from './driver.ts'
import { openFiles, type SourceFiles } from './files.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface Source extends Driver {
  /** Only Forgejo has the table `forgejo_version` or `forgejo_migration`. */
  readonly program: 'Gitea' | 'Forgejo'
  readonly version: number
  readonly files: SourceFiles
  /** Whether there is the table, and this column of it. */
  has(table: string, column?: string): boolean
}

/** Database versions of Gitea 1.22 and of the Forgejo releases that still upgrade in step with it. */
const VERSION_LEAST = 299
const COLUMNS: Readonly<Record<DatabaseKind, string>> = {
  postgres: `select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = any(current_schemas(false))`,
  mysql: `select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = database()`,
  sqlite3: `select m.name as "table", c.name as "column" from sqlite_master as m, pragma_table_info(m.name) as c
    where m.type = 'table'`,
}

export async function openSource(installation: Installation): Promise<Source> {
  const driver = await openDriver(installation.database)
  try {
    const columns = await listColumns(driver, installation.database.kind)
    if (!columns.has('version') || !columns.has('repository'))
      throw new OperatorError('the database of app.ini has no tables of Gitea or Forgejo')
    const [row] = await driver.rows('select version from version where id = 1')
    const version = Number(row?.version ?? 0)
    if (version < VERSION_LEAST)
      throw new OperatorError(
        `the database has version ${version}; update to Gitea 1.22 or later first (${VERSION_LEAST})`,
      )
    const files = await openFiles(installation.storages)
    const isForgejo = columns.has('forgejo_version') || columns.has('forgejo_migration')
    // A Gitea that became a Forgejo keeps its table of blocks, without use.
    if (columns.has('forgejo_blocked_user')) columns.delete('user_blocking')
    return {
      program: isForgejo ? 'Forgejo' : 'Gitea',
      version,
      files,
      rows: (sql) => driver.rows(sql),
      close: async () => {
        for (const it of Object.values(files)) await it.close()
        await driver.close()
      },
      has: (table, column) =>
        column === undefined ? columns.has(table) : columns.get(table)?.has(column) === true,
    }
  } catch (error) {
    await driver.close()
    throw error
  }
}

async function openDriver(settings: DatabaseSettings): Promise<Driver> {
  if (settings.kind === 'postgres') return openPostgres(settings)
  if (settings.kind === 'sqlite3') return openSqlite(settings.path)
  // Its package is loaded for such a source alone.
  const { openMysql } = await import('./mysql.ts')
  return openMysql(settings)
}

async function listColumns(driver: Driver, kind: DatabaseKind): Promise<Map<string, Set<string>>> {
  const rows = await driver.rows(COLUMNS[kind])
  const columns = new Map<string, Set<string>>()
  for (const row of rows) {
    const table = String(row.table)
    columns.set(table, (columns.get(table) ?? new Set()).add(String(row.column)))
  }
  return columns
}
