/**
 * The connections of one process in separate pools: reads of requests, transactions of requests, jobs, and the queue
 * itself. A full pool does not block the others.
 */
import type { Config } from '#platform/config'
import { type Db, type DbOptions, openDb } from '#platform/db'
import type { Logger } from '#platform/log'
import { must } from '#platform/must'
import { openPool, type Pool, type PoolOptions, standbyError } from '#platform/pool'
import { TIMELINE, Timeline } from '#platform/timeline'

export interface Database {
  readonly db: Db
  readonly transactions: Db
  /** For jobs, inside and outside of transactions. */
  readonly jobs: Db
  /** The pool below `db`, for raw PostgreSQL access. */
  readonly pool: Pool
  /** For listening and taking jobs. */
  readonly queue: Pool
  /** All of them by name, for metrics. */
  readonly pools: Readonly<Record<string, Pool>>
  readonly timeline: Timeline
  close(): Promise<void>
}

/** A worker listens on one connection, besides those on which it takes and ends jobs. */
const LISTENING = 1

export function openDatabase(
  config: Config,
  log: Logger,
  onQuery: NonNullable<DbOptions['onQuery']>,
): Database {
  const timeline = new Timeline(log)
  // All connections break in a failover, so no answer of the new primary is used before its timeline is known.
  const onConnect: PoolOptions['onConnect'] = async (client) => {
    const { rows } = await client.query<{ timeline: string | null }>(`select ${TIMELINE} as timeline`)
    const found = must(rows[0], 'a row was asked for').timeline
    // It would answer with what was true a while ago, and refuse writes, also after the failover has ended elsewhere.
    if (found === null) throw standbyError()
    timeline.see(found)
  }
  const options = { ...databaseOptions(config, log), onConnect }
  const waitingMax = config['database.waiting_max']
  const pool = openPool({ ...options, waitingMax })
  const prepared = { preparedMax: config['database.prepared_max'], onQuery }
  const db = openDb(pool, prepared)
  const writing = { ...options, poolMax: config['database.transactions_max'], waitingMax }
  const writes = openPool(writing)
  const transactions = openDb(writes, prepared)
  const ofJobs = openPool({ ...options, poolMax: config['database.jobs_max'] })
  const jobs = openDb(ofJobs, prepared)
  const queue = openPool({ ...options, poolMax: queueConnections(config) })
  return {
    db,
    transactions,
    jobs,
    pool,
    queue,
    pools: { reads: pool, transactions: writes, jobs: ofJobs, queue },
    timeline,
    async close() {
      await Promise.all([db.destroy(), transactions.destroy(), jobs.destroy(), queue.end()])
      // Kysely does not end a pool that it never used; a command would wait for its idle connections.
      if (!pool.ended) await pool.end()
    },
  }
}

/** Pool size of the queue: one connection for each job that ends at the same moment. */
export function queueConnections(config: Config): number {
  const atOnce = Math.max(
    config['jobs.concurrency'],
    config['webhooks.concurrency'],
    config['imports.concurrency'],
    config['mirrors.concurrency'],
    config['mail.concurrency'],
  )
  return atOnce + LISTENING
}

/** Behind a pooler connections survive a failover: so the timeline is read together with the time. */
export async function askTime(pool: Pool, timeline?: Timeline): Promise<Date> {
  const { rows } = await pool.query<{ now: Date; timeline: string | null }>(
    `select clock_timestamp() as now, ${TIMELINE} as timeline`,
  )
  const answer = must(rows[0], 'a row was asked for')
  timeline?.see(answer.timeline)
  return answer.now
}

export function databaseOptions(config: Config, log: Logger): PoolOptions {
  return {
    url: config['database.url'],
    poolMax: config['database.pool_max'],
    connectTimeoutMs: config['database.connect_timeout_ms'],
    statementTimeoutMs: config['database.statement_timeout_ms'],
    lockTimeoutMs: config['database.lock_timeout_ms'],
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  }
}
