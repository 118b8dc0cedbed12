/** The queries of every browser request use indexes on a hundred thousand sessions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { digestOf } from '#domains/code/keys'
import { assertIndexed, insertMany, startForge } from '#testing'
import { selectOpen } from '../invitations/invitations.ts'
import { newToken, SESSION } from './sessions.ts'

const ROWS = 100_000

test('sessions, steps and invitations are found by indexes', async () => {
  await using forge = await startForge()
  const { id } = await forge.person('ann')
  const now = forge.ctx.now()
  const later = new Date(now.getTime() + 86_400_000)
  const many = sql`generate_series(1, ${ROWS}::int) n`
  await insertMany(
    forge.db,
    sql`insert into web_session (digest, account_id, factors, agent, address, created_at, seen_at, idle_until, expires_at)
    select sha256(n::text::bytea), ${id}, '{password}', 'x', '::1', ${now}, ${now}, ${later}, ${later} from ${many}`,
  )
  await insertMany(
    forge.db,
    sql`insert into sign_in_step (digest, kind, account_id, factors, keeps, created_at, expires_at)
    select sha256(n::text::bytea), 'passkey', null, '{}', false, ${now}, ${later} from ${many}`,
  )
  await insertMany(
    forge.db,
    sql`insert into invitation (digest, inviter_id, email, created_at, expires_at, accepted_by, accepted_at)
    select sha256(n::text::bytea), ${id}, 'x', ${now}, ${later}, ${id}, ${now} from ${many}`,
  )
  await sql`analyze`.execute(forge.db)
  await assertIndexed(forge.db, SESSION.build(forge.db, { digest: digestOf(newToken()), now }), 'web_session')
  await assertIndexed(forge.db, sql`select ctid from web_session where idle_until < ${now}`, 'web_session')
  await assertIndexed(forge.db, selectOpen(forge.db, null, now), 'invitation')
  await assertIndexed(forge.db, selectOpen(forge.db, 7, now), 'invitation')
  const step = forge.db.selectFrom('sign_in_step').selectAll().where('account_id', '=', id)
  await assertIndexed(forge.db, step, 'sign_in_step')
  const browser = await forge.browserOf('ann')
  const queries = await forge.countQueries(() => browser.get('/user/settings/security'))
  assert.ok(queries <= 9, `${queries} queries`)
})
