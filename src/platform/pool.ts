/** PostgreSQL connections without the query builder: for code that needs no more, such as a small thread. */
import type { Duplex } from 'node:stream'
import pg from 'pg'

export interface PoolOptions {
  readonly url: string
  readonly poolMax: number
  /** How many callers may wait for a connection; further ones are refused at once. */
  readonly waitingMax?: number
  readonly connectTimeoutMs: number
  /** The server cancels a longer statement, and shortly after the client gives up. */
  readonly statementTimeoutMs: number
  /** How long a statement waits for locks; the statement timeout when absent. */
  readonly lockTimeoutMs?: number
  /** Called when an idle connection breaks. */
  readonly onError?: (error: Error) => void
  /** Runs on a new connection before any other query; if it fails the connection is not used. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>
}

type Heard = Parameters<pg.Pool['connect']>[0]

const TOO_MANY_CONNECTIONS = '53300'
/** A standby, or a primary that a failover demoted. */
const READ_ONLY = '25006'
/** The driver's own error, without a code. */
const TIMED_OUT = 'Query read timeout'
const INT8 = 20
const INT8_ARRAY: number = 1016
/** The client waits a little longer than the server, so that the server's error is reported. */
const CLIENT_GRACE_MS = 2_000
const IDLE_IN_TRANSACTION_MS = 10_000

/** Ids are 64-bit in PostgreSQL and plain numbers here; a value past 2^53 would be rounded, so it is refused. */
function readInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a 64-bit integer is beyond the safe range')
  return value
}

function readInt8Array(text: string): number[] {
  const texts = pg.types.getTypeParser(INT8_ARRAY, 'text')(text) as string[]
  return texts.map(readInt8)
}

function parserOf(oid: number, format?: 'text' | 'binary') {
  if (format !== 'binary' && oid === INT8) return readInt8
  if (format !== 'binary' && oid === INT8_ARRAY) return readInt8Array
  return pg.types.getTypeParser(oid, format as 'text')
}

/** What the types of the driver leave out or overload. */
interface Driver {
  readonly connection: { readonly stream: Duplex }
  query(...args: unknown[]): unknown
  end(): Promise<void>
}

/**
 * Ends a connection that led to a server that is not, or no longer, the primary, and one whose answer did not come in time:
 * the next statement on it would wait behind the same one, such as a COMMIT that waits for an absent standby.
 */
class WatchedClient extends (pg.Client as unknown as new () => Driver) {
  override query(...args: unknown[]): unknown {
    const answer = super.query(...args)
    if (answer instanceof Promise) answer.catch((error: Error & { code?: string }) => this.drop(error))
    return answer
  }

  private drop(error: Error & { code?: string }): void {
    if (error.code !== READ_ONLY && error.message !== TIMED_OUT) return
    // The pool sees at once that it is ending, and lends it to nobody.
    this.end().catch(() => undefined)
    this.connection.stream.destroy()
  }
}

/** A pool with numbers for 64-bit integers, and timeouts on every wait. */
export function openPool(options: PoolOptions): pg.Pool {
  const onError = options.onError ?? (() => {})
  const types = { getTypeParser: parserOf }
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? 0,
    // A node that vanished during a transaction must not hold its locks until the network notices.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: options.statementTimeoutMs + CLIENT_GRACE_MS,
    application_name: 'bloomery',
    types: types as pg.CustomTypesConfig,
    Client: WatchedClient as unknown as typeof pg.Client,
    ...(options.onConnect === undefined ? {} : { onConnect: options.onConnect }),
  })
  pool.on('error', onError)
  // Without this, a checked-out idle client that breaks raises an unhandled error.
  pool.on('connect', (client) => client.on('error', onError))
  if (options.waitingMax !== undefined) boundWaiting(pool, options.waitingMax)
  return pool
}

/** For `onConnect`: what a standby itself would answer to a write. */
export function standbyError(): pg.DatabaseError {
  const error = new pg.DatabaseError('the server is a standby', 0, 'error')
  error.code = READ_ONLY
  return error
}

/** Refuses callers above the limit at once, with PostgreSQL's own error for too many connections. */
function boundWaiting(pool: pg.Pool, waitingMax: number): void {
  const connect = pool.connect.bind(pool) as (heard?: Heard) => Promise<pg.PoolClient> | undefined
  const boundedConnect = (heard?: Heard) => {
    if (pool.waitingCount < waitingMax) return connect(heard)
    const full = Object.assign(new Error('too many clients waiting for a database connection'), {
      code: TOO_MANY_CONNECTIONS,
    })
    if (heard === undefined) return Promise.reject(full)
    heard(full, undefined, () => {})
    return undefined
  }
  pool.connect = boundedConnect as pg.Pool['connect']
}

export type { Pool, PoolClient } from 'pg'
