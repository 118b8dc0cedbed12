/** One database for each test file, copied from a migrated template: real SQL, nothing shared. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnPostgres, startPostgres } from '#cli'
import { migrate } from '#platform/migrate'
import { openPool, type Pool } from '#platform/pool'

/** The server that `npm run check` has started for the whole run; otherwise each process starts its own. */
const SHARED = process.env.TEST_POSTGRES
const BINARIES = process.env.TEST_POSTGRES_BIN
const MEMORY_FOLDER = '/dev/shm'
const TEMPLATE_LOCK = 7

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function createDatabase(): Promise<TestDatabase> {
  const server = await openServer()
  const template = await ensureTemplate(server.url)
  const name = `forge_${randomBytes(6).toString('hex')}`
  // `file_copy` is several times faster than writing through the WAL, and the template has no connections.
  await onServer(server.url, (pool) =>
    pool.query(`create database ${name} template ${template} strategy file_copy`),
  )
  return {
    url: server.url(name),
    async drop() {
      await onServer(server.url, (pool) => pool.query(`drop database ${name} with (force)`))
      await server.stop()
    },
  }
}

/** A throw-away server in memory, unless one is shared. */
export async function openServer(): Promise<OwnPostgres> {
  if (SHARED !== undefined)
    return { url: (database) => SHARED.replace('/postgres?', `/${database}?`), stop: async () => {} }
  const folder = await mkdtemp(join(existsSync(MEMORY_FOLDER) ? MEMORY_FOLDER : tmpdir(), 'bloomery-test-'))
  const server = await startPostgres({
    folder,
    isDurable: false,
    isStill: true,
    ...(BINARIES ? { bin: BINARIES } : {}),
  })
  return {
    url: server.url,
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Named after the migrations, so that a changed migration gets a new template. */
async function ensureTemplate(url: OwnPostgres['url']): Promise<string> {
  const folder = new URL('../../migrations/', import.meta.url)
  const digest = createHash('sha256')
  for (const file of (await readdir(folder)).sort()) digest.update(await readFile(new URL(file, folder)))
  const name = `template_${digest.digest('hex').slice(0, 12)}`
  await onServer(url, async (pool) => {
    const client = await pool.connect()
    try {
      // One process migrates the template; the others wait for it here.
      await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
      const found = await client.query('select 1 from pg_database where datname = $1', [name])
      if (found.rowCount === 0) {
        await client.query(`create database ${name}_new`)
        await onServer(() => url(`${name}_new`), migrate)
        await onServer(() => url(`${name}_new`), enableTriggersForReplicas)
        await client.query(`alter database ${name}_new rename to ${name}`)
      }
    } finally {
      client.release(true)
    }
  })
  return name
}

/** `insertMany` inserts as a replica does, for which only foreign keys shall be off. Foreign keys are internal triggers. */
async function enableTriggersForReplicas(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as statement
     from pg_trigger where not tgisinternal`,
  )
  for (const { statement } of rows) await pool.query(statement)
}

async function onServer(url: OwnPostgres['url'], work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const pool = openPool({
    url: url('postgres'),
    poolMax: 2,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 120_000,
  })
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}
