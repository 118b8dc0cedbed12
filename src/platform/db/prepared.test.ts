/** Statements are prepared once for each connection, not without end, and a migration in between is seen by nobody. */
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

test('a text that comes again is not prepared again', async () => {
  for (let i = 0; i < 3; i++) await accounts().where('id', '=', i).execute()
  const statements = await prepared()
  assert.equal(statements.filter(({ statement }) => statement.includes('"account"')).length, 1)
  assert.equal(statements.find(({ statement }) => statement.includes('"account"'))?.runs, 3)
  // However it is laid out.
  await sql`
    (select 1 as n)`.execute(db)
  assert.equal((await prepared()).length, 2)
})

test('a list is one text, however long it is, and a long one is planned for itself', async () => {
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

test('what differs with every call, or is marked, is not kept', async () => {
  const rows = [1, 2].map((n) => ({ id: `worker-${n}`, seen_at: forge.ctx.now() }))
  await db.insertInto('job_worker').values(rows).execute()
  await accounts().modifyEnd(CUSTOM_PLAN).execute()
  await sql`set application_name = 'bloomery'`.execute(db)
  assert.deepEqual(await prepared(), [])
})

test('a connection keeps so many; the one that was not used for longest goes first', async () => {
  const select = (n: number) => sql`select ${sql.lit(n)}::int as n, ${n}::int as again`.execute(db)
  const often = () => accounts().execute()
  for (let n = 0; n < PREPARED_MAX * 3; n++) {
    await often()
    assert.deepEqual((await select(n)).rows, [{ n, again: n }])
  }
  const texts = (await prepared()).map(({ statement }) => statement)
  assert.ok(texts.length <= PREPARED_MAX, `${texts.length} are prepared`)
  assert.ok(texts.some((text) => text.includes('"account"')))
  // One that has gone comes back.
  assert.deepEqual((await select(0)).rows, [{ n: 0, again: 0 }])
})

test('a statement that fails can be used again', async () => {
  const divide = (by: number) => sql<{ n: number }>`select 6 / ${by}::int as n`.execute(db)
  await assert.rejects(divide(0), /division by zero/)
  assert.deepEqual((await divide(2)).rows, [{ n: 3 }])
  await assert.rejects(divide(0), /division by zero/)
  assert.deepEqual((await divide(3)).rows, [{ n: 2 }])
})

test('a migration that changes what a statement returns is seen by no reader and no transaction', async () => {
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

test('behind a pooler that does not carry them nothing is prepared', async () => {
  const plain = openDb(pool)
  for (let i = 0; i < 2; i++) await plain.selectFrom('account').select('id').execute()
  assert.deepEqual(await prepared(), [])
})

test('a pooler that loses what was prepared costs one more try, however much it was', async () => {
  let refusals = 0
  pool.on('connect', (client) => {
    // What pg does not declare: each refusal of the server, also one that nobody else hears of.
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

/** What the connection has prepared, without the question itself. */
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
