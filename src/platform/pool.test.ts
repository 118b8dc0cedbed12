/** Connections that can do nothing more are given up, and not lent to the next caller. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase, type TestDatabase } from '#testing/database'
import { openDb } from './db/index.ts'
import { openPool } from './pool.ts'

const STATEMENT_MS = 100
const AT_ONCE_MS = 1_500

let database: TestDatabase
before(async () => {
  database = await createDatabase()
})
after(() => database.drop())

function open() {
  const pool = openPool({
    url: database.url,
    poolMax: 1,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: STATEMENT_MS,
  })
  const db = openDb(pool, { preparedMax: 10 })
  return { pool, db, [Symbol.asyncDispose]: () => db.destroy() }
}

test('after a write that a demoted primary refused, the next statement has another connection', async () => {
  await using opened = open()
  const { db } = opened
  const first = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  await sql`set default_transaction_read_only = on`.execute(db)
  await assert.rejects(sql`create table anvil ()`.execute(db), { code: '25006' })
  await sql`create table anvil ()`.execute(db)
  const second = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  assert.notEqual(second.rows[0]?.pid, first.rows[0]?.pid)
})

test('after a COMMIT that never ends, the next statement does not wait behind it', async () => {
  await using opened = open()
  const { db } = opened
  let failedAt = 0
  const stuck = db.transaction().execute(async (tx) => {
    // As a COMMIT that waits for a standby: the limit of the server does not end it.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_sleep(3600)`.execute(tx).catch((error) => {
      failedAt = performance.now()
      throw error
    })
  })
  await assert.rejects(stuck)
  assert.ok(performance.now() - failedAt < AT_ONCE_MS, 'its rollback waited for the answer')
  const begunAt = performance.now()
  await sql`select 1`.execute(db)
  assert.ok(performance.now() - begunAt < AT_ONCE_MS, 'the next statement waited for the answer')
})
