/** Secrets and variables: access, encryption, limits, and what a job of a repository gets. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, startForge } from '#testing'
import { findSecrets, findVariables } from './for-jobs.ts'
import { selectIn } from './store.ts'

let forge: Forge
let home = { id: 0, owner_id: 0 }
before(async () => {
  forge = await startForge({ config: { 'log.level': 'silent' } })
  for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'anvil' })
  await forge.call('ann', 'PUT', '/repos/guild/anvil/collaborators/bob', { permission: 'write' })
  const { body } = await forge.call('ann', 'GET', '/repos/guild/anvil')
  home = { id: body.id, owner_id: body.owner.id }
})
after(() => forge[Symbol.asyncDispose]())

const put = (path: string, data: string, as = 'ann') => forge.call(as, 'PUT', path, { data })
const keep = (path: string, value: string, as = 'ann') => forge.call(as, 'POST', path, { value })

test("a repository's secrets override its owner's, are stored encrypted, and are listed without values", async () => {
  await put('/orgs/guild/actions/secrets/SHARED', 'of the guild')
  await put('/orgs/guild/actions/secrets/ONLY_GUILD', 'guild alone')
  await put('/repos/guild/anvil/actions/secrets/shared', 'of the anvil')
  assert.deepEqual(await findSecrets(forge.ctx, home), { SHARED: 'of the anvil', ONLY_GUILD: 'guild alone' })
  const { rows } = await sql<{ row: string }>`select action_secret::text as row from action_secret`.execute(
    forge.db,
  )
  assert.equal(rows.length, 3)
  assert.ok(rows.every(({ row }) => !row.includes('anvil') && !row.includes('alone')))
  const { body } = await forge.call('ann', 'GET', '/orgs/guild/actions/secrets')
  assert.deepEqual(
    body.map((it: object) => Object.keys(it)),
    [
      ['name', 'description', 'created_at'],
      ['name', 'description', 'created_at'],
    ],
  )
})

test("a repository's variables override those of its owner", async () => {
  await keep('/orgs/guild/actions/variables/level', 'low')
  await keep('/orgs/guild/actions/variables/colour', 'blue')
  await keep('/repos/guild/anvil/actions/variables/level', 'high')
  assert.deepEqual(await findVariables(forge.db, home), { LEVEL: 'high', COLOUR: 'blue' })
})

const ROUTES = [
  ['PUT', '/repos/guild/anvil/actions/secrets/KEY', { data: 'x' }],
  ['GET', '/repos/guild/anvil/actions/secrets', undefined],
  ['POST', '/repos/guild/anvil/actions/variables/KEY', { value: 'x' }],
  ['GET', '/repos/guild/anvil/actions/variables', undefined],
  ['PUT', '/orgs/guild/actions/secrets/KEY', { data: 'x' }],
  ['GET', '/orgs/guild/actions/secrets', undefined],
  ['DELETE', '/orgs/guild/actions/variables/COLOUR', undefined],
] as const
for (const [method, path, body] of ROUTES)
  test(`${method} ${path} is restricted to owners`, async () => {
    for (const as of ['bob', 'eve']) assert.equal((await forge.call(as, method, path, body)).status, 403, as)
    assert.equal((await forge.call(null, method, path, body)).status, 401)
    assert.ok((await forge.call('ann', method, path, body)).status < 300)
  })

test('names, values and the number of variables are limited', async () => {
  const path = '/user/actions/variables'
  assert.equal((await keep(`${path}/LONG`, 'x'.repeat(65_537))).status, 422)
  assert.equal((await keep(`${path}/${'N'.repeat(256)}`, 'x')).status, 400)
  assert.equal((await keep(`${path}/${'N'.repeat(255)}`, 'x')).status, 201)
  await sql`insert into action_variable (owner_id, name, data, created_at)
    select id, 'V' || n, '', now() from account, generate_series(1, 1000) n where login = 'eve'`.execute(
    forge.db,
  )
  assert.equal((await keep(`${path}/ONE_MORE`, 'x', 'eve')).status, 422)
})

test("the total size of a repository's secrets and variables is limited", async () => {
  await forge.call('ann', 'POST', '/orgs/guild/repos', { name: 'full' })
  for (const [kind, field, method] of [
    ['secrets', 'data', 'PUT'],
    ['variables', 'value', 'POST'],
  ] as const) {
    const put = (i: number, text: string, how: 'PUT' | 'POST' = method) =>
      forge.call('ann', how, `/repos/guild/full/actions/${kind}/K${i}`, { [field]: text })
    let kept = 0
    while (kept < 40 && (await put(kept, 'x'.repeat(60_000))).status === 201) kept++
    assert.ok(kept > 15 && kept < 36, `${kept} ${kind} of 60 KB`)
    assert.equal((await put(kept, 'small')).status, 201)
    assert.equal((await put(kept, 'x'.repeat(60_000), 'PUT')).status, 422, 'neither by changing one')
    assert.ok((await put(0, 'small', 'PUT')).status < 300, 'one can be made smaller')
  }
})

test('concurrent PUTs of a secret of the same name create one secret', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => put('/user/actions/secrets/RACE', `value ${n}`, 'bob')),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.ok(replies.every(({ status }) => [201, 204, 409].includes(status)))
})

test('a list takes the same number of queries for one row as for thirty, and uses an index on 100,000 rows', async () => {
  const path = '/repos/guild/anvil/actions/variables?limit=30'
  const ask = () => forge.call('ann', 'GET', path)
  const few = await forge.countQueries(ask)
  await sql`insert into action_variable (repository_id, name, data, created_at)
    select ${sql.lit(home.id)}, 'V' || n, '', now() from generate_series(1, 40) n`.execute(forge.db)
  assert.equal((await ask()).body.length, 30)
  assert.equal(await forge.countQueries(ask), few)
  await sql`insert into account (kind, login, login_key, created_at, updated_at)
    select 'user', 'p' || n, 'p' || n, now(), now() from generate_series(1, 1000) n`.execute(forge.db)
  for (const [table, column] of [
    ['action_secret', 'sealed'],
    ['action_variable', 'data'],
  ])
    await sql`insert into ${sql.table(table ?? '')} (owner_id, name, ${sql.ref(column ?? '')}, created_at)
      select account.id, 'V' || n, '', now() from account, generate_series(1, 100) n where login like 'p%'`.execute(
      forge.db,
    )
  await sql`analyze`.execute(forge.db)
  const holder = { kind: 'repository', owner_id: null, repository_id: home.id } as const
  for (const table of ['action_secret', 'action_variable'] as const)
    await assertIndexed(forge.db, selectIn(forge.db, table, holder).selectAll(), table)
})
