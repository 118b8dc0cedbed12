/** Checks of the database: its version, schema and connections, the clock, and the queue in it. */
import { kindsOf } from '#jobs'
import { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { openDb } from '#platform/db'
import { openLog } from '#platform/log'
import { schemaRefusal } from '#platform/migrate'
import { must } from '#platform/must'
import type { Pool } from '#platform/pool'
import { readQueue } from '#platform/queue'
import { slices, workOf } from '../forge.ts'
import { askTime, queueConnections } from '../open-database.ts'
import { assertPostgres } from '../requirements.ts'
import { withDatabase } from '../with-world.ts'

const OLDEST_JOB_MS_MAX = 60_000

export async function lookAtDatabase(config: Config): Promise<string> {
  return withDatabase(config, async (pool) => {
    const version = await assertPostgres(pool)
    const refusal = factsRefusal(await readFacts(pool), config) ?? (await schemaRefusal(pool))
    if (refusal !== undefined) throw new Error(refusal)
    return `PostgreSQL ${version}, schema is up to date`
  })
}

export interface DatabaseFacts {
  readonly encoding: string
  readonly is_standby: boolean
  readonly connections_max: number
}

async function readFacts(pool: Pool): Promise<DatabaseFacts> {
  const { rows } = await pool.query<DatabaseFacts>(
    `select current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections_max`,
  )
  return must(rows[0], 'a row was asked for')
}

export function factsRefusal(facts: DatabaseFacts, config: Config): string | undefined {
  if (facts.is_standby)
    return 'database.url: the server is a standby, which cannot be written; name the primary'
  if (facts.encoding !== 'UTF8')
    return `the encoding of the database is ${facts.encoding}; create it with encoding UTF8`
  const needed =
    config['database.pool_max'] +
    config['database.transactions_max'] +
    config['database.jobs_max'] +
    queueConnections(config)
  if (needed > facts.connections_max)
    return `one process may open ${needed} connections, and PostgreSQL allows ${facts.connections_max}; raise its max_connections, or lower database.*_max`
  return undefined
}

/** A pooler in transaction mode gives each transaction another connection of PostgreSQL, which knows no statement of ours. */
export async function lookAtPooler(config: Config): Promise<string> {
  return withDatabase(
    config,
    async (pool) => {
      const [one, other] = [await pool.connect(), await pool.connect()]
      try {
        const ask = async () => {
          const query = { name: 'bloomery_doctor', text: 'select pg_backend_pid() as pid' }
          return (await one.query<{ pid: number }>(query)).rows[0]?.pid
        }
        const before = await ask()
        // Takes the connection that was just given back, if it was.
        await other.query('begin')
        const after = await ask().catch((error: Error) => error)
        await other.query('rollback')
        return judgePooler(before, after, config['database.prepared_max'])
      } finally {
        one.release(true)
        other.release(true)
      }
    },
    2,
  )
}

/** `after` is an error if the pooler lost the prepared statement. */
export function judgePooler(
  before: number | undefined,
  after: number | undefined | Error,
  preparedMax: number,
): string {
  if (!(after instanceof Error))
    return before === after ? 'none, or one for each session' : 'keeps prepared statements'
  if (preparedMax === 0) return 'loses prepared statements, and database.prepared_max is 0'
  throw new Error(
    `the pooler of database.url loses prepared statements (${after.message}); use PgBouncer 1.21 or newer with max_prepared_statements, or set database.prepared_max to 0`,
  )
}

/** Token expiry and schedules need clocks that agree. */
export async function lookAtClock(config: Config, machine?: () => number): Promise<string> {
  return withDatabase(config, async (pool) => {
    const clock = new Clock({ ask: () => askTime(pool), log: openLog('silent'), ...(machine && { machine }) })
    await clock.read()
    const refusal = clock.refusal()
    if (refusal !== undefined)
      throw new Error(`${refusal}; run NTP on this machine and on the database server`)
    return `within ${Math.abs(clock.skewMs())} ms of the database`
  })
}

/** Waiting jobs mean that no worker runs, or that workers cannot keep up. */
export async function lookAtQueue(config: Config): Promise<string> {
  return withDatabase(config, async (pool) => {
    const queue = await readQueue(openDb(pool))
    const sum = (state: 'waiting' | 'dead') => queue.reduce((sum, it) => sum + it[state], 0)
    const known = kindsOf(config, workOf(slices))
    const strange = queue.filter(({ kind, waiting, later }) => !known.has(kind) && waiting + later > 0)
    if (strange.length > 0)
      throw new Error(
        `jobs of kinds that this version does not know wait (${strange.map(({ kind }) => kind).join(', ')}); start a worker of the version that added them`,
      )
    const slowest = queue.toSorted((one, other) => other.oldest_ms - one.oldest_ms)[0]
    if (slowest !== undefined && slowest.oldest_ms > OLDEST_JOB_MS_MAX)
      throw new Error(
        `${slowest.waiting} jobs of kind ${slowest.kind} wait, the oldest for ${Math.round(slowest.oldest_ms / 1000)} s; start a worker, or more of them`,
      )
    if (sum('dead') > 0)
      throw new Error(
        `${sum('dead')} jobs failed for good; see \`bloomery jobs dead\`, then \`bloomery jobs requeue\``,
      )
    return `${sum('waiting')} jobs wait`
  })
}
