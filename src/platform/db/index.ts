/** The one PostgreSQL handle. Slices add their tables to `Tables` by declaration merging. */
import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { PreparingDialect } from './dialect.ts'

// biome-ignore lint/suspicious/noEmptyInterface: every slice's tables.ts adds to it
export interface Tables {}
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export interface DbOptions {
  /** How many prepared statements each connection keeps; none when absent. */
  readonly preparedMax?: number
  /** Called after each statement with its duration; tests count statements, metrics time them. */
  readonly onQuery?: (sql: string, durationMs: number) => void
}

export function openDb(pool: pg.Pool, { preparedMax = 0, onQuery }: DbOptions = {}): Db {
  return new Kysely<Tables>({
    dialect: new PreparingDialect(pool, preparedMax),
    ...(onQuery ? { log: (event) => onQuery(event.query.sql, event.queryDurationMillis) } : {}),
  })
}

/** The SQLSTATE of an error from PostgreSQL; undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

const UNIQUE_VIOLATION = '23505'
export const FOREIGN_KEY_VIOLATION = '23503'

export function isUniqueViolation(error: unknown): boolean {
  return sqlStateOf(error) === UNIQUE_VIOLATION
}

export { databaseAway } from './database-away.ts'
export { deleteInParts } from './delete-parts.ts'
export { customPlanFor } from './dialect.ts'
export { containing } from './like.ts'
export { CUSTOM_PLAN, isOutdated, isWorthPreparing } from './prepared.ts'
export { readOnly } from './read-only.ts'
export { countOf, countRows, type Paged, type PageRange, takePage } from './take-page.ts'
