/** Queries of commit and branch lists use indexes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, insertMany, startForge } from '#testing'
import { BY_EMAIL, selectByIdOrName } from './commits/store.ts'

const forge = await startForge()
const { db } = forge
after(() => forge[Symbol.asyncDispose]())

const ROWS = 100_000

before(async () => {
  const now = sql`'2026-01-01T00:00:00Z'::timestamptz`
  const numbers = sql`generate_series(1, ${ROWS}::int) as n`
  await insertMany(
    db,
    sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'p' || n, 'p' || n, ${now}, ${now} from ${numbers}`,
  )
  await insertMany(
    db,
    sql`insert into account_count (account_id) select id from account on conflict do nothing`,
  )
  await insertMany(
    db,
    sql`insert into account_email (account_id, email, email_key, is_primary)
    select id, login || '@example.test', login || '@example.test', true from account`,
  )
  for (const table of ['account', 'account_count', 'account_email'])
    await sql`analyze ${sql.table(table)}`.execute(db)
})

test('accounts are found by email address with an index', async () => {
  const keys = ['p1@example.test', 'p99@example.test', 'nobody@example.test']
  const query = BY_EMAIL.build(db, { keys })
  assert.equal((await BY_EMAIL.rows(db, { keys })).length, 2)
  for (const table of ['account', 'account_count', 'account_email']) await assertIndexed(db, query, table)
})

test('accounts are found by no-reply address with an index', async () => {
  const query = selectByIdOrName(db, [1, 2, 3], ['p99'])
  assert.equal((await query.execute()).length, 4)
  for (const table of ['account', 'account_count']) await assertIndexed(db, query, table)
})
