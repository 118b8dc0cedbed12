/** Statements are prepared once for each connection, up to a limit, and migrations in between are handled transparently. */
import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/context'
import { CUSTOM_PLAN, type Db, openDb } from '#platform/db'
import { openPool, type Pool } from '#platform/pool'
import { type Forge, startForge } from '#testing'

const PREPARED_MAX = 8

let forge: Forge
let pool: Pool
let db: Db
before(async () => {
  forge = await startForge()
  await forge.person('ann')
})
after(() => forge[Symbol.asyncDispose]())
beforeEach(() => {
  const url = forge.world.config['database.url']
  pool = openPool({ url, poolMax: 1, connectTimeoutMs: 20_000, statementTimeoutMs: 30_000 })
  db = openDb(pool, { preparedMax: PREPARED_MAX })
})
afterEach(() => db.destroy())

test('a repeated statement is prepared once', async () => {
  for (let i = 0; i < 3; i++) await accounts().where('id', '=', i).execute()
  const statements = await prepared()
  assert.equal(statements.filter(({ statement }) => statement.includes('"account"')).length, 1)
  assert.equal(statements.find(({ statement }) => statement.includes('"account"'))?.runs, 3)
  // Leading white space and parentheses do not matter.
  await sql`
    (select 1 as n)`.execute(db)
  assert.equal((await prepared()).length, 2)
})

test('a list of any length is one statement, and a long list gets a custom plan', async () => {
  const { id } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow()
  for (const ids of [[], [id], [id, -11], [id, -11, -12]]) {
    const among = await accounts().where('id', 'in', ids).execute()
    assert.equal(among.length, Math.min(ids.length, 1))
    const others = await accounts().where('id', '=', id).where('id', 'not in', ids).execute()
    assert.equal(others.length, ids.length === 0 ? 1 : 0)
  }
  const many = Array.from({ length: 1_000 }, (_, i) => -10 - i)
  assert.deepEqual(await accounts().where('id', 'in', many).execute(), [])
  const texts = (await prepared()).map(({ statement }) => statement)
  assert.equal(texts.filter((text) => text.includes(' any(')).length, 1)
  assert.equal(texts.filter((text) => text.includes(' all(')).length, 1)
})

test('statements that differ with every call, or are marked, are not prepared', async () => {
  const rows = [1, 2].map((n) => ({ id: `worker-${n}`, seen_at: forge.ctx.now() }))
  await db.insertInto('job_worker').values(rows).execute()
  await accounts().modifyEnd(CUSTOM_PLAN).execute()
  await sql`set application_name = 'bloomery'`.execute(db)
  assert.deepEqual(await prepared(), [])
})

test('a connection keeps a limited number of statements and evicts the least recently used', async () => {
  const select = (n: number) => sql`select ${sql.lit(n)}::int as n, ${n}::int as again`.execute(db)
  const often = () => accounts().execute()
  for (let n = 0; n < PREPARED_MAX * 3; n++) {
    await often()
    assert.deepEqual((await select(n)).rows, [{ n, again: n }])
  }
  const texts = (await prepared()).map(({ statement }) => statement)
  assert.ok(texts.length <= PREPARED_MAX, `${texts.length} are prepared`)
  assert.ok(texts.some((text) => text.includes('"account"')))
  // An evicted statement can be prepared again.
  assert.deepEqual((await select(0)).rows, [{ n: 0, again: 0 }])
})

test('a statement that failed can be used again', async () => {
  const divide = (by: number) => sql<{ n: number }>`select 6 / ${by}::int as n`.execute(db)
  await assert.rejects(divide(0), /division by zero/)
  assert.deepEqual((await divide(2)).rows, [{ n: 3 }])
  await assert.rejects(divide(0), /division by zero/)
  assert.deepEqual((await divide(3)).rows, [{ n: 2 }])
})

test('a migration that changes the result of a prepared statement fails neither reads nor transactions', async () => {
  await sql`create table thing (id int); insert into thing values (1)`.execute(forge.db)
  const read = (from: Db) => sql`select * from thing`.execute(from)
  const write = () =>
    transact({ ...forge.ctx, db, transactions: db }, async (ctx) => {
      await sql`update thing set id = id`.execute(ctx.db)
      return read(ctx.db)
    })
  await read(db)
  await sql`alter table thing add column name text default 'new'`.execute(forge.db)
  assert.deepEqual((await read(db)).rows, [{ id: 1, name: 'new' }])
  await write()
  await sql`alter table thing add column size int default 7`.execute(forge.db)
  assert.deepEqual((await write()).rows, [{ id: 1, name: 'new', size: 7 }])
})

test('without preparedMax nothing is prepared, for poolers that do not support it', async () => {
  const plain = openDb(pool)
  for (let i = 0; i < 2; i++) await plain.selectFrom('account').select('id').execute()
  assert.deepEqual(await prepared(), [])
})

test('a pooler that drops all prepared statements costs one retry', async () => {
  let refusals = 0
  pool.on('connect', (client) => {
    // Not declared by pg: emitted for each error of the server, including those that are retried.
    const { connection } = client as unknown as { connection: EventEmitter }
    connection.on('errorMessage', () => {
      refusals += 1
    })
  })
  const addresses = () => db.selectFrom('account_email').select('id').execute()
  const known = [await accounts().execute(), await addresses()]
  await sql`deallocate all`.execute(db)
  assert.deepEqual(await prepared(), [])
  assert.deepEqual([await accounts().execute(), await addresses()], known)
  assert.equal(refusals, 1)
  assert.equal((await prepared()).length, 2)
})

function accounts() {
  return db.selectFrom('account').select(['id', 'login'])
}

/** Prepared statements of the connection, without this query itself. */
async function prepared(): Promise<{ statement: string; runs: number }[]> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ statement: string; runs: number }>(
      'select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements order by prepare_time',
    )
    return rows
  } finally {
    client.release()
  }
}
