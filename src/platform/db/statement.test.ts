/** A statement is built once, whatever values it is executed with. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, Statement } from '#platform/db'
import { type Forge, startForge } from '#testing'

let forge: Forge
before(async () => {
  forge = await startForge()
  for (const login of ['ann', 'bob']) await forge.person(login)
})
after(() => forge[Symbol.asyncDispose]())

test('a statement is built once and finds rows by the values of each call', async () => {
  let times = 0
  const named = new Statement((db: Db, { login, kind }: { login: string; kind: string }) => {
    times += 1
    return db
      .selectFrom('account')
      .select('login')
      .where('kind', '=', sql<'user'>`${kind}`)
      .where('login', '=', login)
      .where('is_admin', '=', false)
      .where('visibility', '=', 'public')
  })
  const { db } = forge
  assert.deepEqual(await named.rows(db, { login: 'ann', kind: 'user' }), [{ login: 'ann' }])
  assert.deepEqual(await named.first(db, { login: 'bob', kind: 'user' }), { login: 'bob' })
  assert.equal(await named.first(db, { login: 'bob', kind: 'organization' }), undefined)
  assert.equal(times, 1)
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('account').set({ login: 'eve' }).where('login', '=', 'bob').execute()
    assert.deepEqual(await named.first(tx, { login: 'eve', kind: 'user' }), { login: 'eve' })
    await tx.updateTable('account').set({ login: 'bob' }).where('login', '=', 'eve').execute()
  })
})

test('a statement that depends on a value cannot be built once', async () => {
  const counted = new Statement((db: Db, { count }: { count: number }) =>
    db
      .selectFrom('account')
      .select('login')
      .limit(count > 1 ? 2 : 1),
  )
  await assert.rejects(counted.rows(forge.db, { count: 2 }), /cannot depend on count/)
})
