/** Reads the SQLite file of a Gitea, which may be running. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#platform/operator-error'
import type { Driver, SourceRow } from './driver.ts'

const BUSY_MS = 20_000

export function openSqlite(path: string): Driver {
  if (!existsSync(path)) throw new OperatorError(`the SQLite file of app.ini does not exist: ${path}`)
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS })
  return {
    rows: async (sql) => database.prepare(sql).all() as SourceRow[],
    close: async () => database.close(),
  }
}
