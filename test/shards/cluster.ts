/**
 * Four PostgreSQL servers with the schema of the forge: one for the instance and three shards. Logical replication copies
 * the tables that decide about rights from the instance into every shard.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPostgres } from '#cli'
import { migrate } from '#platform/migrate'
import { must } from '#platform/must'
import { openPool, type Pool } from '#platform/pool'
import { tablesOf } from './tables.ts'

export const SHARDS = ['shard_1', 'shard_2', 'shard_3'] as const
const INSTANCE = 'instance'
const DATABASE = 'forge'
const TIMEOUT_MS = 60_000
const POOL_MAX = 12
const SETTINGS = ["wal_level = 'logical'", 'max_wal_senders = 20', 'max_replication_slots = 20']
const PAUSE_MS = 20
/** Every node counts in these. With several databases it would count on the instance; here it counts where it is. */
const WRITTEN_BY_ALL: ReadonlySet<string> = new Set([
  'anonymous_git_use',
  'client_use',
  'sign_in_failure',
  'token_use',
])

export interface Server {
  readonly name: string
  readonly url: string
  readonly pool: Pool
}

export class Cluster implements AsyncDisposable {
  readonly instance: Server
  readonly shards: readonly Server[]
  private readonly stack: AsyncDisposableStack

  private constructor(servers: readonly Server[], stack: AsyncDisposableStack) {
    const [instance, ...shards] = servers
    this.instance = must(instance, INSTANCE)
    this.shards = shards
    this.stack = stack
  }

  static async open(folder: string): Promise<Cluster> {
    await using stack = new AsyncDisposableStack()
    const servers = await Promise.all([INSTANCE, ...SHARDS].map((name) => openServer(folder, name, stack)))
    return new Cluster(servers, stack.move())
  }

  /** Each shard becomes a subscriber; returns when every table is copied. */
  async replicate(): Promise<void> {
    const tables = tablesOf('instance').filter((it) => !WRITTEN_BY_ALL.has(it))
    await this.instance.pool.query(`create table beat (id int primary key, at timestamptz not null)`)
    await this.instance.pool.query(`insert into beat values (1, clock_timestamp())`)
    await this.instance.pool.query(`create publication rights for table ${[...tables, 'beat'].join()}`)
    for (const { name, pool } of this.shards) {
      await pool.query(`create table beat (id int primary key, at timestamptz not null)`)
      await pool.query(`truncate ${tables.join()} cascade`)
      await pool.query(`create subscription ${name} connection '${connectionOf(this.instance.url)}'
        publication rights with (synchronous_commit = 'on')`)
    }
    for (const { pool } of this.shards)
      await until(async () => {
        const { rows } = await pool.query("select from pg_subscription_rel where srsubstate <> 'r'")
        return rows.length === 0
      })
  }

  /** A commit with `synchronous_commit = remote_apply` waits for these; an empty list waits for none. */
  async waitFor(names: readonly string[]): Promise<void> {
    const value = names.length === 0 ? '' : `FIRST ${names.length} (${names.join()})`
    await this.instance.pool.query(`alter system set synchronous_standby_names = '${value}'`)
    await this.instance.pool.query('select pg_reload_conf()')
    await until(async () => {
      const { rows } = await this.instance.pool.query<{ name: string }>(
        "select application_name as name from pg_stat_replication where sync_state = 'sync'",
      )
      return rows.length === names.length
    })
  }

  /** The worker that applies changes in a shard. */
  async applier(shard: Server): Promise<number> {
    const { rows } = await shard.pool.query<{ pid: number }>(
      'select pid from pg_stat_subscription where pid is not null and relid is null',
    )
    return must(rows[0], 'the shard has an apply worker').pid
  }

  /** Until every shard has applied what the instance has committed so far. */
  async settle(): Promise<void> {
    const { rows } = await this.instance.pool.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
    const { at } = must(rows[0], 'one row')
    await until(async () => {
      const { rows } = await this.instance.pool.query(
        'select from pg_stat_replication where replay_lsn >= $1::pg_lsn',
        [at],
      )
      return rows.length === this.shards.length
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync()
  }
}

export async function until(isDone: () => Promise<boolean>, { pauseMs = PAUSE_MS } = {}): Promise<void> {
  const endsAt = performance.now() + TIMEOUT_MS
  while (!(await isDone())) {
    if (performance.now() > endsAt) throw new Error('a shard did not get there in time')
    await sleep(pauseMs)
  }
}

/** Durable, because what a commit waits for is measured. */
async function openServer(folder: string, name: string, stack: AsyncDisposableStack): Promise<Server> {
  const own = join(folder, name)
  await mkdir(own, { recursive: true })
  const options = { folder: own, isDurable: true, isStill: true }
  const first = await startPostgres(options)
  const before = poolOf(first.url('postgres'))
  for (const setting of SETTINGS) await before.query(`alter system set ${setting}`)
  await before.query(`create database ${DATABASE}`)
  await before.end()
  await first.stop()
  const server = await startPostgres(options)
  stack.defer(() => server.stop())
  const url = server.url(DATABASE)
  const pool = poolOf(url)
  stack.defer(() => pool.end())
  await migrate(pool)
  return { name, url, pool }
}

function poolOf(url: string): Pool {
  return openPool({ url, poolMax: POOL_MAX, connectTimeoutMs: TIMEOUT_MS, statementTimeoutMs: TIMEOUT_MS })
}

/** The URL as libpq wants it. */
function connectionOf(url: string): string {
  const { searchParams, username, pathname } = new URL(url)
  return `host=${searchParams.get('host')} port=${searchParams.get('port')} user=${username} dbname=${pathname.slice(1)}`
}
