/**
 * Migrations: plain SQL, forward only, each good for the code before it and the code after it.
 *
 * A file says its phase in its first line. `expand` adds, so code that does not know it runs on; `contract` takes
 * away what no running code uses any more, so a node that does not know it must not serve.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { Pool } from '#platform/pool'

export type Phase = 'expand' | 'contract'
interface Migration {
  readonly name: string
  readonly phase: Phase
  readonly sql: string
  readonly checksum: string
}
interface Applied {
  readonly name: string
  readonly phase: Phase
  readonly checksum: string
}

const FOLDER = new URL('../../migrations/', import.meta.url)
const FILE_NAME = /^\d{4}_[a-z_]+\.sql$/
const PHASE_LINE = /^-- phase: (expand|contract)\n/
/** Two nodes that start together must not migrate together. */
const LOCK = 4_871_203

/** Applies what is missing, one transaction each, one node at a time; returns the names of what it applied. */
export async function migrate(pool: Pool, folder: URL = FOLDER): Promise<string[]> {
  const known = await readMigrations(folder)
  const client = await pool.connect()
  try {
    // Waiting for another node's migration may take long, and so may a migration.
    await client.query('set statement_timeout = 0')
    await client.query('set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      `create table if not exists schema_migration (
        name text primary key, phase text not null, checksum text not null, applied_at timestamptz not null default now())`,
    )
    const applied = await readApplied(client)
    const missing = known.filter(({ name }) => !applied.has(name))
    refuseChanges(known, applied)
    for (const migration of missing) {
      await client.query('begin')
      try {
        await client.query(migration.sql)
        await client.query('insert into schema_migration (name, phase, checksum) values ($1, $2, $3)', [
          migration.name,
          migration.phase,
          migration.checksum,
        ])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return missing.map(({ name }) => name)
  } finally {
    // The connection is closed rather than returned: that gives back the lock and the timeout in every case.
    client.release(true)
  }
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
  if (contracted) return `unknown migration ${contracted.name}: the schema is newer than this version`
  return undefined
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, folder), 'utf8')
      const phase = PHASE_LINE.exec(sql)?.[1] as Phase | undefined
      if (!FILE_NAME.test(file) || phase === undefined)
        throw new Error(
          `${file}: a migration is called 0001_some_words.sql and begins with «-- phase: expand»`,
        )
      return { name: file, phase, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

async function readApplied(client: Pick<Pool, 'query'>): Promise<Map<string, Applied>> {
  const { rows } = await client.query<Applied>('select name, phase, checksum from schema_migration')
  return new Map(rows.map((row) => [row.name, row]))
}

/** A migration that ran is history: changing its text would make two databases of one version differ. */
function refuseChanges(known: readonly Migration[], applied: ReadonlyMap<string, Applied>): void {
  const changed = known.find((it) => applied.has(it.name) && applied.get(it.name)?.checksum !== it.checksum)
  if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`)
}
