/**
 * Migrations: plain SQL, forward only.
 *
 * The first line of a file names its phase. `expand` adds, so code that does not know it keeps working; `contract`
 * removes what the release before it no longer uses, so a node that does not know it must not start. A second line
 * `-- concurrently` is for indexes of large tables (ADR 105).
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '#platform/operator-error'
import type { Pool, PoolClient } from '#platform/pool'

export type Phase = 'expand' | 'contract'
interface Migration {
  readonly name: string
  readonly phase: Phase
  readonly sql: string
  readonly isConcurrent: boolean
  readonly checksum: string
}
interface Applied {
  readonly name: string
  readonly phase: Phase
  readonly checksum: string
}

const FOLDER = new URL('../../migrations/', import.meta.url)
const FILE_NAME = /^\d{4}_[a-z_]+\.sql$/
const PHASE_LINE = /^-- phase: (expand|contract)\n(-- concurrently\n)?/
const STATEMENT_END = /;\s*$/m
/** Advisory lock: two nodes that start together must not migrate together. */
const LOCK = 4_871_203

/**
 * A statement that waits for an exclusive lock blocks all later statements on the table, even reads: behind one long read
 * a migration would stop the forge. So it waits briefly, gives up, and retries.
 */
const LOCK_MS_MAX = 2_000
const PAUSE_MS = 3_000
const LOOK_MS = 200
const LOCK_NOT_AVAILABLE = '55P03'
/** A transaction that locks tables in another order than the migration. */
const DEADLOCK_DETECTED = '40P01'
const BLOCKED = new Set([LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED])

export interface Patience {
  /** Called with the reason each time the migration has to wait. */
  readonly onWait?: (reason: string) => void
  /** How long to retry before the migration fails. */
  readonly waitMs?: number
}

const WAIT_MS = 6 * 3_600_000

/** Applies pending migrations, one node at a time; returns their names. */
export async function migrate(pool: Pool, folder: URL = FOLDER, patience: Patience = {}): Promise<string[]> {
  const known = await readMigrations(folder)
  const client = await pool.connect()
  try {
    // Waiting for another node's migration may take long, and so may a migration.
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await takeLock(client)
    await client.query(
      `create table if not exists schema_migration (
        name text primary key, phase text not null, checksum text not null, applied_at timestamptz not null default now())`,
    )
    const applied = await readApplied(client)
    const missing = known.filter(({ name }) => !applied.has(name))
    refuseChanges(known, applied)
    for (const migration of missing) await applyPatiently(client, migration, patience)
    return missing.map(({ name }) => name)
  } finally {
    // Closes the connection instead of returning it, which releases the lock and the timeouts in every case.
    client.release(true)
  }
}

/** Asks again and again: a statement that waits has a snapshot, and an index that is built concurrently awaits its end. */
async function takeLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is_taken: boolean }>(
      'select pg_try_advisory_lock($1) as is_taken',
      [LOCK],
    )
    if (rows[0]?.is_taken) return
    await sleep(LOOK_MS)
  }
}

async function applyPatiently(client: PoolClient, migration: Migration, patience: Patience): Promise<void> {
  const endsAt = performance.now() + (patience.waitMs ?? WAIT_MS)
  for (;;) {
    const reason = (await findBackup(client)) ?? (await apply(client, migration))
    if (reason === undefined) return
    if (performance.now() >= endsAt) throw new OperatorError(`migration ${migration.name} gave up: ${reason}`)
    patience.onWait?.(`${migration.name}: ${reason}`)
    await sleep(PAUSE_MS)
  }
}

/** Returns what blocks the migration; undefined when it was applied. */
async function apply(client: PoolClient, migration: Migration): Promise<string | undefined> {
  try {
    await (migration.isConcurrent ? applyAlone(client, migration) : applyAtOnce(client, migration))
    return undefined
  } catch (error) {
    if (BLOCKED.has((error as { code?: string }).code ?? '')) return findOldest(client)
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

async function applyAtOnce(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${LOCK_MS_MAX}`)
    await client.query(migration.sql)
    await record(client, migration)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Nobody waits behind these statements, so they may wait. One that failed is repeated, with those before it. */
async function applyAlone(client: PoolClient, migration: Migration): Promise<void> {
  for (const statement of migration.sql.split(STATEMENT_END)) await client.query(statement)
  await record(client, migration)
}

async function record(client: PoolClient, { name, phase, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migration (name, phase, checksum) values ($1, $2, $3)', [
    name,
    phase,
    checksum,
  ])
}

/** A backup reads every table to its end. */
async function findBackup(client: PoolClient): Promise<string | undefined> {
  const table = await client.query<{ exists: boolean }>(`select to_regclass('backup') is not null as exists`)
  if (table.rows[0]?.exists !== true) return undefined
  const { rows } = await client.query('select 1 from backup where expires_at > now() limit 1')
  return rows.length > 0 ? 'waiting for the end of a backup' : undefined
}

/** Which lock is blocked depends on the statement; the oldest transaction is the most likely holder. */
async function findOldest(client: PoolClient): Promise<string> {
  const { rows } = await client.query<{ pid: number; application: string; seconds: number }>(
    `select pid, application_name as application, extract(epoch from now() - xact_start)::int as seconds
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and xact_start is not null order by xact_start limit 1`,
  )
  const [oldest] = rows
  if (oldest === undefined) return 'waiting for a lock'
  const { pid, application, seconds } = oldest
  return `waiting for a lock; the oldest transaction is of process ${pid} (${application}), ${seconds} s old`
}

/** Why this code must not serve on this database; undefined when it may. */
export async function schemaRefusal(pool: Pool, folder: URL = FOLDER): Promise<string | undefined> {
  const known = await readMigrations(folder)
  const found = await pool.query<{ exists: boolean }>(
    `select to_regclass('schema_migration') is not null as exists`,
  )
  if (found.rows[0]?.exists !== true) return 'database has no schema: run `bloomery migrate`'
  const applied = await readApplied(pool)
  const missing = known.filter(({ name }) => !applied.has(name))
  if (missing.length > 0) return `pending migration ${missing[0]?.name}: run \`bloomery migrate\``
  const names = new Set(known.map(({ name }) => name))
  const contracted = [...applied.values()].find((it) => it.phase === 'contract' && !names.has(it.name))
  if (contracted)
    return `unknown migration ${contracted.name}: the schema is newer than this version; install the version that migrated it`
  return undefined
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, folder), 'utf8')
      const [, kind, concurrently] = PHASE_LINE.exec(sql) ?? []
      const phase = kind as Phase | undefined
      if (!FILE_NAME.test(file) || phase === undefined)
        throw new Error(
          `${file}: a migration is called 0001_some_words.sql and begins with «-- phase: expand»`,
        )
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { name: file, phase, sql, isConcurrent: concurrently !== undefined, checksum }
    }),
  )
}

async function readApplied(client: Pick<Pool, 'query'>): Promise<Map<string, Applied>> {
  const { rows } = await client.query<Applied>('select name, phase, checksum from schema_migration')
  return new Map(rows.map((row) => [row.name, row]))
}

/** An applied migration must not change: databases of one version would differ. */
function refuseChanges(known: readonly Migration[], applied: ReadonlyMap<string, Applied>): void {
  const changed = known.find((it) => applied.has(it.name) && applied.get(it.name)?.checksum !== it.checksum)
  if (changed)
    throw new OperatorError(
      `migration ${changed.name} was changed after it had been applied; run the version of Bloomery that applied it, or a newer one`,
    )
}
