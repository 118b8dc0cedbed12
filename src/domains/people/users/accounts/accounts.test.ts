/** Reading accounts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { accountJson, findAccount, readAccount } from '#domains/people/users'
import { startForge } from '#testing'

test('an account read as JSON inside another row equals the account read directly', async () => {
  await using forge = await startForge()
  for (const last_login_at of [null, forge.ctx.now()]) {
    const login = `ann-${last_login_at === null ? 'new' : 'old'}`
    const { id } = await forge.person(login, { last_login_at, full_name: 'Ann "the" Ä', source_id: 2 ** 40 })
    const { rows } = await sql<{ account: Parameters<typeof readAccount>[0] }>`
      select ${accountJson(sql<number>`${id}::bigint`)} as account`.execute(forge.db)
    assert.deepEqual(rows[0] && readAccount(rows[0].account), { ...(await findAccount(forge.db, login)) })
  }
})
