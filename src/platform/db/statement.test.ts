/** A statement is built once, whatever values it is executed with. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Db, isWorthPreparing, openDb } from '#platform/db'
import { PagedStatement, Statement } from '#platform/db/statement'
import { openPool } from '#platform/pool'
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

test('a statement is built once for each set of given values and for each null, true and false', async () => {
  const texts: string[] = []
  interface Wanted {
    readonly isAdmin: boolean
    readonly login?: string | undefined
    readonly after?: string | null
  }
  const people = new Statement((db: Db, { isAdmin, login, after }: Wanted) => {
    let found = db
      .selectFrom('account')
      .select('login')
      .where('kind', '=', 'user')
      .where('is_admin', '=', isAdmin)
      .orderBy('login')
    if (login !== undefined) found = found.where('login', '=', login)
    if (after !== undefined && after !== null) found = found.where('login', '>', after)
    texts.push(found.compile().sql)
    return found
  })
  const found = async (wanted: Wanted) =>
    (await people.rows(forge.db, wanted)).map(({ login }) => login).join()
  for (let i = 0; i < 2; i++) {
    assert.equal(await found({ isAdmin: false }), 'ann,bob')
    assert.equal(await found({ isAdmin: false, login: undefined }), 'ann,bob')
    assert.equal(await found({ isAdmin: false, login: 'bob' }), 'bob')
    assert.equal(await found({ isAdmin: false, login: 'ann' }), 'ann')
    assert.equal(await found({ isAdmin: true }), '')
    assert.equal(await found({ isAdmin: false, after: null }), 'ann,bob')
    assert.equal(await found({ isAdmin: false, after: 'ann' }), 'bob')
  }
  assert.equal(texts.length, 5)
  assert.match(texts[0] ?? '', /"is_admin" = false/)
})

test('a statement whose values contain a record is built for each call', async () => {
  const named = new Statement((db: Db, { of }: { of: { readonly logins: readonly string[] } }) =>
    db.selectFrom('account').select('login').where('login', 'in', of.logins).orderBy('login'),
  )
  for (const logins of [['ann'], ['ann', 'bob'], ['bob']])
    assert.deepEqual(
      (await named.rows(forge.db, { of: { logins } })).map(({ login }) => login),
      logins,
    )
})

test('pages of a list that is built once have the total, also past the end', async () => {
  let times = 0
  const listed = new PagedStatement((db: Db, { kind }: { kind: 'user' | 'organization' }) => {
    times += 1
    return db.selectFrom('account').select('login').where('kind', '=', kind).orderBy('login')
  })
  const page = (offset: number, kind: 'user' | 'organization' = 'user') =>
    listed.take(forge.db, { kind }, { limit: 1, offset })
  assert.deepEqual(await page(0), { items: [{ login: 'ann' }], total: 2 })
  assert.deepEqual(await page(1), { items: [{ login: 'bob' }], total: 2 })
  assert.deepEqual(await page(2), { items: [], total: 2 })
  assert.deepEqual(await page(0, 'organization'), { items: [], total: 0 })
  assert.equal(times, 2, 'the page and the total')
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

test('a list of any length is one statement, and a long list gets a custom plan', async () => {
  const texts = new Set<string>()
  const pool = openPool({
    url: forge.world.config['database.url'],
    poolMax: 1,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 30_000,
  })
  const db = openDb(pool, { preparedMax: 8, onQuery: (text) => texts.add(text) })
  const among = new Statement((db: Db, { logins }: { logins: readonly string[] }) =>
    db.selectFrom('account').select('login').where('login', 'in', logins).orderBy('login'),
  )
  const others = new Statement((db: Db, { logins }: { logins: readonly string[] }) =>
    db.selectFrom('account').select('login').where('login', 'not in', logins).where('login', '=', 'ann'),
  )
  const found = async (logins: string[]) => (await among.rows(db, { logins })).map(({ login }) => login)
  assert.deepEqual(await found([]), [])
  assert.deepEqual(await found(['ann']), ['ann'])
  assert.deepEqual(await found(['bob', 'nobody', 'ann']), ['ann', 'bob'])
  assert.deepEqual(await others.rows(db, { logins: ['ann'] }), [])
  assert.equal(texts.size, 2)
  const many = Array.from({ length: 1_000 }, (_, i) => `nobody${i}`)
  assert.deepEqual(await found([...many, 'ann']), ['ann'])
  assert.deepEqual([...texts].map(isWorthPreparing), [true, true, false])
  await db.destroy()
})
