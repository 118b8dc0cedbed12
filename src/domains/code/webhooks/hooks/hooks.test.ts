/** Hooks over REST, on a real database: access, stored fields, and query cost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertIndexed, type Forge, insertMany, startForge } from '#testing'
import { selectHistory, selectNext } from '../deliveries/store.ts'
import { HOOKS_MAX } from '../limits.ts'
import type { HookScope } from './scopes.ts'
import { selectHooks, selectSubscribed } from './store.ts'

const CONFIG = { url: 'http://hooks.example.test/one', content_type: 'json' }
const HOOK = { type: 'gitea', config: CONFIG }

let forge: Forge
before(async () => {
  forge = await startForge()
  await forge.person('root', { is_admin: true })
  for (const name of ['ann', 'bob', 'eve']) await forge.person(name)
  await forge.call('ann', 'POST', '/orgs', { username: 'guild' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'anvil' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'secret', private: true })
})
after(() => forge[Symbol.asyncDispose]())

const ROOTS = ['/repos/ann/anvil/hooks', '/orgs/guild/hooks', '/user/hooks', '/admin/hooks']

for (const [root, nobody, eve] of [
  ['/repos/ann/anvil/hooks', 401, 403],
  ['/repos/ann/secret/hooks', 404, 404],
  ['/orgs/guild/hooks', 401, 403],
  ['/user/hooks', 401, 200],
  ['/admin/hooks', 401, 403],
] as const)
  test(`callers without access to ${root} can neither list nor create hooks`, async () => {
    assert.equal((await forge.call(null, 'GET', root)).status, nobody)
    assert.equal((await forge.call(null, 'POST', root, HOOK)).status, nobody)
    assert.equal((await forge.call('eve', 'GET', root)).status, eve)
    if (eve !== 200) assert.equal((await forge.call('eve', 'POST', root, HOOK)).status, eve)
  })

for (const root of ROOTS)
  test(`a hook at ${root} is created, read, edited and deleted, and not found in other scopes`, async () => {
    const owner = root.startsWith('/admin') ? 'root' : 'ann'
    const made = await forge.call(owner, 'POST', root, { ...HOOK, active: true, events: ['release'] })
    assert.equal(made.status, owner === 'root' ? 200 : 201)
    const path = `${root}/${made.body.id}`
    assert.deepEqual((await forge.call(owner, 'GET', path)).body, made.body)
    for (const other of ROOTS.filter((it) => it !== root)) {
      const elsewhere = `${other}/${made.body.id}`
      const asker = other.startsWith('/admin') ? 'root' : 'ann'
      for (const method of ['GET', 'PATCH', 'DELETE'] as const)
        assert.equal((await forge.call(asker, method, elsewhere)).status, 404, `${method} ${elsewhere}`)
      assert.equal((await forge.call(asker, 'GET', `${elsewhere}/deliveries`)).status, 404)
    }
    const changed = await forge.call(owner, 'PATCH', path, {
      config: { content_type: 'form' },
      events: ['wiki'],
    })
    assert.equal(changed.body.config.url, CONFIG.url)
    assert.equal(changed.body.config.content_type, 'form')
    assert.deepEqual(changed.body.events, ['wiki'])
    assert.equal((await forge.call(owner, 'DELETE', path)).status, 204)
    assert.equal((await forge.call(owner, 'GET', path)).status, 404)
  })

test('secrets appear neither in responses nor in plain text in the tables', async () => {
  const made = await forge.call('ann', 'POST', '/user/hooks', {
    ...HOOK,
    config: { ...CONFIG, secret: 'sesame-open' },
    authorization_header: 'Bearer sesame-bearer',
  })
  assert.equal(made.status, 201)
  assert.doesNotMatch(JSON.stringify(made.body), /sesame/)
  const { rows } = await sql`select * from webhook where id = ${made.body.id}`.execute(forge.db)
  assert.doesNotMatch(JSON.stringify(rows), /sesame/)
  await forge.call('ann', 'DELETE', `/user/hooks/${made.body.id}`)
})

test('git hooks are refused for every caller', async () => {
  for (const [as, status] of [
    [null, 401],
    ['eve', 403],
    ['ann', 403],
    ['root', 403],
  ] as const) {
    assert.equal((await forge.call(as, 'GET', '/repos/ann/anvil/hooks/git')).status, status)
    const one = '/repos/ann/anvil/hooks/git/pre-receive'
    assert.equal((await forge.call(as, 'PATCH', one, { content: 'rm -rf /' })).status, status)
    assert.equal((await forge.call(as, 'DELETE', one)).status, status)
  }
})

for (const [what, change, status] of [
  ['a header that no header can hold', { authorization_header: 'Bearer x\r\nX-Evil: 1' }, 422],
  ['an address without a host', { config: { ...CONFIG, url: 'http:///x' } }, 422],
  ['an address of a file', { config: { ...CONFIG, url: 'file:///etc/passwd' } }, 422],
  ['a port that is none', { config: { ...CONFIG, url: 'http://x.test:99999/' } }, 422],
  ['a pattern of groups in groups', { branch_filter: '{'.repeat(200) }, 422],
  ['too many events', { events: Array.from({ length: 101 }, () => 'push') }, 422],
  ['a channel that is none', { type: 'slack', config: { ...CONFIG, channel: 'A B' } }, 400],
] as const)
  test(`a hook with ${what} is refused`, async () => {
    const answer = await forge.call('ann', 'POST', '/user/hooks', { ...HOOK, ...change })
    assert.equal(answer.status, status, JSON.stringify(answer.body))
  })

test('a repository has at most HOOKS_MAX hooks', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'full' })
  const { body } = await forge.call('ann', 'GET', '/repos/ann/full')
  await insertHooks(body.id, HOOKS_MAX)
  const one = await forge.call('ann', 'POST', '/repos/ann/full/hooks', HOOK)
  assert.equal(one.status, 422)
  const other = await forge.call('ann', 'POST', '/repos/ann/anvil/hooks', HOOK)
  assert.equal(other.status, 201)
  await forge.call('ann', 'DELETE', `/repos/ann/anvil/hooks/${other.body.id}`)
})

test('a new repository gets a copy of every default hook with its secrets, but not of system hooks', async () => {
  const options = { ...HOOK, active: true, events: ['release'], authorization_header: 'Bearer x' }
  const made = await forge.call('root', 'POST', '/admin/hooks', {
    ...options,
    config: { ...CONFIG, secret: 's' },
  })
  const system = await forge.call('root', 'POST', '/admin/hooks', {
    ...options,
    config: { ...CONFIG, is_system_webhook: 'true' },
  })
  await forge.call('bob', 'POST', '/user/repos', { name: 'copied' })
  const { body } = await forge.call('bob', 'GET', '/repos/bob/copied/hooks')
  assert.equal(body.length, 1)
  assert.deepEqual(body[0].events, ['release'])
  const { rows } = await sql<{ sealed_secret: string; sealed_authorization: string }>`
    select sealed_secret, sealed_authorization from webhook where id in (${made.body.id}, ${body[0].id})`.execute(
    forge.db,
  )
  assert.deepEqual(rows[0], rows[1])
  await forge.call('root', 'DELETE', `/admin/hooks/${made.body.id}`)
  await forge.call('root', 'DELETE', `/admin/hooks/${system.body.id}`)
})

test('a fork gets the default hooks', async () => {
  const made = await forge.call('root', 'POST', '/admin/hooks', { ...HOOK, name: 'by default' })
  await forge.call('ann', 'POST', '/user/repos', { name: 'origin', auto_init: true })
  assert.equal((await forge.call('bob', 'POST', '/repos/ann/origin/forks')).status, 202)
  const { body } = await forge.call('bob', 'GET', '/repos/bob/origin/hooks')
  assert.deepEqual(namesOf(body), ['by default'])
  await forge.call('root', 'DELETE', `/admin/hooks/${made.body.id}`)
})

test('a generated repository gets the template’s hooks if the caller administers the template', async () => {
  const byDefault = await forge.call('root', 'POST', '/admin/hooks', { ...HOOK, name: 'by default' })
  await forge.call('bob', 'POST', '/user/repos', { name: 'mould', auto_init: true, template: true })
  await forge.call('bob', 'POST', '/repos/bob/mould/hooks', {
    ...HOOK,
    name: 'from the mould',
    events: ['fork'],
  })
  for (const [as, webhooks, expected] of [
    ['bob', true, ['by default', 'from the mould']],
    ['bob', false, ['by default']],
    ['ann', true, ['by default']],
  ] as const) {
    const name = `cast-${webhooks}`
    const wish = { owner: as, name, git_content: true, webhooks }
    assert.equal((await forge.call(as, 'POST', '/repos/bob/mould/generate', wish)).status, 201)
    const { body } = await forge.call(as, 'GET', `/repos/${as}/${name}/hooks`)
    assert.deepEqual(namesOf(body).sort(), expected)
  }
  await forge.call('root', 'DELETE', `/admin/hooks/${byDefault.body.id}`)
})

test('a repository with hooks can be deleted', async () => {
  await forge.call('bob', 'POST', '/user/repos', { name: 'doomed' })
  await forge.call('bob', 'POST', '/repos/bob/doomed/hooks', HOOK)
  assert.equal((await forge.call('bob', 'DELETE', '/repos/bob/doomed')).status, 204)
})

test('listing thirty hooks or deliveries takes as many queries as listing one', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'many' })
  const { body } = await forge.call('ann', 'GET', '/repos/ann/many')
  const list = (path: string) => forge.countQueries(() => forge.call('ann', 'GET', path))
  const [id] = await insertHooks(body.id, 1)
  const few = await list('/repos/ann/many/hooks')
  await insertDeliveries(id ?? 0, 1)
  const fewTold = await list(`/repos/ann/many/hooks/${id}/deliveries`)
  await insertHooks(body.id, 29)
  await insertDeliveries(id ?? 0, 29)
  assert.equal(await list('/repos/ann/many/hooks'), few)
  assert.equal(await list(`/repos/ann/many/hooks/${id}/deliveries`), fewTold)
})

test('lists and lookups of hooks and deliveries use indexes', async () => {
  const { body } = await forge.call('ann', 'GET', '/repos/ann/anvil')
  const [id = 0] = await insertHooks(body.id, 1)
  await insertMany(
    forge.db,
    sql`insert into webhook (scope, owner_id, type, url, content_type, events, created_at, updated_at)
    select 'owner', ${body.owner.id}, 'gitea', 'http://x.test', 'json', '{push}', now(), now()
    from generate_series(1, 50000)`,
  )
  const [busy] = await insertHooks(body.id, 1)
  await insertDeliveries(busy ?? 0, 100_000)
  await sql`analyze webhook, webhook_delivery, webhook_payload`.execute(forge.db)
  const repository = { kind: 'repository', repository_id: body.id, owner_id: null } as HookScope
  const site = { kind: 'site', repository_id: null, owner_id: null } as HookScope
  await assertIndexed(forge.db, selectHooks(forge.db, repository).limit(30), 'webhook')
  await assertIndexed(forge.db, selectHooks(forge.db, site).limit(30), 'webhook')
  const source = { repository_id: body.id, owner_id: 1 }
  await assertIndexed(forge.db, selectSubscribed(forge.db, source), 'webhook')
  await assertIndexed(forge.db, selectHistory(forge.db, id).limit(30), 'webhook_delivery')
  await assertIndexed(forge.db, selectNext(forge.db, id), 'webhook_delivery')
  await assertIndexed(forge.db, selectHistory(forge.db, id).limit(30), 'webhook_payload')
})

function namesOf(hooks: readonly { name: string }[]): string[] {
  return hooks.map(({ name }) => name)
}

async function insertHooks(repositoryId: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into webhook (scope, repository_id, type, url, content_type, events, created_at, updated_at)
    select 'repository', ${repositoryId}, 'gitea', 'http://x.test', 'json', '{push}', now(), now()
    from generate_series(1, ${count}::int) returning id`.execute(forge.db)
  return rows.map((row) => row.id)
}

async function insertDeliveries(hookId: number, count: number): Promise<void> {
  await insertMany(
    forge.db,
    sql`with told as (
      insert into webhook_payload (type, facts, body, created_at)
      select 'push', '{}', '{}', now() from generate_series(1, ${count}::int) returning id)
    insert into webhook_delivery (uuid, webhook_id, payload_id, next_at, expires_at, created_at)
    select gen_random_uuid(), ${hookId}, id, now(), now(), now() from told`,
  )
}
