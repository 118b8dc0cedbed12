/** Connections to PostgreSQL, without the words of a query: for who needs no more, such as a thread that stays small. */
import pg from 'pg'

export interface PoolOptions {
  readonly url: string
  readonly poolMax: number
  /** How many may wait for a connection; whoever comes after them is refused at once. */
  readonly waitingMax?: number
  readonly connectTimeoutMs: number
  /** A statement that runs longer is given up by the server, and shortly after by the client. */
  readonly statementTimeoutMs: number
  /** How long a statement waits for what others hold; as long as it may run when absent. */
  readonly lockTimeoutMs?: number
  /** Hears of a connection that broke while nobody was waiting for it. */
  readonly onError?: (error: Error) => void
  /** Asks a new connection something before anybody else does; a connection whose answer fails is not used. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>
}

type Heard = Parameters<pg.Pool['connect']>[0]

const TOO_MANY_CONNECTIONS = '53300'
const INT8 = 20
const INT8_ARRAY: number = 1016
/** The client waits a little longer than the server, so that the server's own refusal is what is seen. */
const CLIENT_GRACE_MS = 2_000
const IDLE_IN_TRANSACTION_MS = 10_000

/** Ids are 64-bit in PostgreSQL and plain numbers here; one past 2^53 would be a lie, so it is refused. */
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

/** A pool of connections in our dialect: numbers for 64-bit integers, timeouts on every wait. */
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
    // A node that vanished in the middle of a transaction must not hold its locks until the network notices.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: options.statementTimeoutMs + CLIENT_GRACE_MS,
    application_name: 'bloomery',
    types: types as pg.CustomTypesConfig,
    ...(options.onConnect === undefined ? {} : { onConnect: options.onConnect }),
  })
  pool.on('error', onError)
  // Without this, a client that breaks while checked out but idle raises an unhandled error.
  pool.on('connect', (client) => client.on('error', onError))
  if (options.waitingMax !== undefined) boundWaiting(pool, options.waitingMax)
  return pool
}

/** Who would wait in vain is told at once, as PostgreSQL itself says it of connections. */
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
