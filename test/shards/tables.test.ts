/** Every table has one place, and rows of a fork network can be found from its repository. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPool, type Pool } from '#platform/pool'
import { createDatabase, type TestDatabase } from '#testing/database'
import { type Place, placeOf, TABLES, tablesOf } from './tables.ts'

const TIMEOUT_MS = 60_000
/** Tables of a network without a foreign key that leads to its repository, and what leads there. */
const BY_OTHER_COLUMNS: Readonly<Record<string, string>> = {
  git_pack: 'git_storage_pack names it; until then it belongs to nobody',
  git_pack_doomed: 'is a pack without a row',
  git_pack_unnamed: 'is a pack',
  git_ref: 'storage_id, without a foreign key',
  git_storage: 'repository.storage_id',
  lfs_object: 'lfs_link names it',
}
/** Rows of the instance that refer to a repository: a column without a foreign key when there are several databases. */
const INTO_NETWORKS = [
  'abuse_report → repository',
  'deploy_key → repository',
  'repository_redirect → repository',
]

let database: TestDatabase
let pool: Pool
before(async () => {
  database = await createDatabase()
  pool = openPool({
    url: database.url,
    poolMax: 1,
    connectTimeoutMs: TIMEOUT_MS,
    statementTimeoutMs: TIMEOUT_MS,
  })
})
after(async () => {
  await pool.end()
  await database.drop()
})

test('every table of the schema has exactly one place', async () => {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const placed = (Object.keys(TABLES) as Place[]).flatMap(tablesOf)
  assert.deepEqual(placed.toSorted(), rows.map(({ name }) => name).toSorted())
})

test('foreign keys lead from every table of a network to its repository', async () => {
  const keys = await foreignKeys(pool)
  const leads = new Set(['repository', ...Object.keys(BY_OTHER_COLUMNS)])
  for (let known = 0; known < leads.size; ) {
    known = leads.size
    for (const { from, to } of keys) if (leads.has(to) && placeOf(from) === 'network') leads.add(from)
  }
  assert.deepEqual(
    tablesOf('network').filter((it) => !leads.has(it)),
    [],
  )
})

test('few foreign keys lead from the instance into a network', async () => {
  const keys = await foreignKeys(pool)
  const into = keys.filter(({ from, to }) => placeOf(from) === 'instance' && placeOf(to) === 'network')
  assert.deepEqual(into.map(({ from, to }) => `${from} → ${to}`).toSorted(), INTO_NETWORKS)
})

async function foreignKeys(pool: Pool): Promise<{ from: string; to: string }[]> {
  const { rows } = await pool.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  return rows
}
