/** Deploy keys over REST and with real git over HTTPS. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { transact } from '#platform/context'
import { type Forge, GitClient, startForge } from '#testing'

let forge: Forge

before(async () => {
  forge = await startForge()
  for (const name of ['ann', 'bob', 'keeper', 'writer', 'other']) await forge.person(name)
  await forge.person('root', { is_admin: true })
  await forge.person('reader', {}, ['read:repository'])
  for (const name of ['open', 'second']) await forge.call('ann', 'POST', '/user/repos', { name })
  await forge.call('ann', 'POST', '/user/repos', { name: 'hidden', private: true })
  await collaborate('keeper', 'admin')
  await collaborate('writer', 'write')
})
after(() => forge[Symbol.asyncDispose]())

async function collaborate(login: string, level: 'write' | 'admin'): Promise<void> {
  const { body: repo } = await forge.call('ann', 'GET', '/repos/ann/open')
  const { body: user } = await forge.call('ann', 'GET', `/users/${login}`)
  const row = { repository_id: repo.id, user_id: user.id, level, created_at: forge.ctx.now() }
  await forge.db.insertInto('collaboration').values(row).execute()
}

function newKey(): string {
  const head = Buffer.from('0000000b7373682d6564323535313900000020', 'hex')
  return `ssh-ed25519 ${Buffer.concat([head, randomBytes(32)]).toString('base64')}`
}

let titles = 0
const newTitle = () => `key ${++titles}`
const OPEN = '/repos/ann/open/keys'
const add = (as: string | null, body: object = {}, path = OPEN) =>
  forge.call(as, 'POST', path, { title: newTitle(), key: newKey(), ...body })
const addToken = (path: string, body: object = {}) =>
  forge.call('ann', 'POST', `/repos/ann/${path}/keys/tokens`, { title: newTitle(), ...body })

test('a deploy key is added, read with its permissions, and deleted', async () => {
  const key = newKey()
  const added = await add('ann', { title: ' builder ', key: `${key} some where`, read_only: true })
  assert.equal(added.status, 201)
  const { id, key_id, fingerprint, ...rest } = added.body
  assert.match(fingerprint, /^SHA256:[\w+/]{43}$/)
  assert.deepEqual(rest, {
    key_type: 'ssh',
    key: `${key} some where`,
    url: `http://forge.test/api/v1/repos/ann/open/keys/${id}`,
    title: ' builder ',
    created_at: '2026-01-01T00:00:00Z',
    read_only: true,
    repository: null,
  })
  for (const as of ['ann', 'root']) {
    const { repository, ...seen } = (await forge.call(as, 'GET', `${OPEN}/${id}`)).body
    assert.deepEqual({ ...seen, repository: null }, added.body)
    assert.deepEqual(repository.permissions, { admin: false, push: false, pull: true })
  }
  assert.deepEqual((await forge.call('keeper', 'GET', `${OPEN}/${id}`)).body, added.body)
  assert.equal((await forge.call('ann', 'GET', `/repos/ann/second/keys/${id}`)).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', `/repos/ann/second/keys/${id}`)).status, 204)
  assert.equal((await forge.call('ann', 'GET', `${OPEN}/${id}`)).status, 200)
  assert.equal((await forge.call('ann', 'GET', `/user/keys/${key_id}`)).status, 404)
  assert.equal((await forge.call('root', 'DELETE', `/admin/users/ann/keys/${key_id}`)).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', `${OPEN}/${id}`)).status, 204)
  assert.equal((await forge.call('ann', 'GET', `${OPEN}/${id}`)).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', `${OPEN}/${id}`)).status, 204)
})

for (const { as, path, reads, writes } of [
  { as: null, path: OPEN, reads: 401, writes: 401 },
  { as: 'bob', path: OPEN, reads: 403, writes: 403 },
  { as: 'writer', path: OPEN, reads: 403, writes: 403 },
  { as: 'keeper', path: OPEN, reads: 200, writes: 201 },
  { as: 'root', path: OPEN, reads: 200, writes: 201 },
  { as: 'reader', path: OPEN, reads: 403, writes: 403 },
  { as: null, path: '/repos/ann/hidden/keys', reads: 404, writes: 404 },
  { as: 'bob', path: '/repos/ann/hidden/keys', reads: 404, writes: 404 },
  { as: 'ann', path: '/repos/ann/none/keys', reads: 404, writes: 404 },
])
  test(`${as ?? 'anonymous'} lists ${path} with ${reads} and adds to it with ${writes}`, async () => {
    assert.equal((await forge.call(as, 'GET', path)).status, reads)
    assert.equal((await add(as, {}, path)).status, writes)
    assert.equal((await forge.call(as, 'POST', `${path}/tokens`, { title: newTitle() })).status, writes)
  })

test('a public key can be a deploy key of several repositories, but not also a key of a user', async () => {
  const key = newKey()
  const first = await add('ann', { key })
  const second = await add('ann', { key: `${key} again` }, '/repos/ann/second/keys')
  assert.equal(second.body.key_id, first.body.key_id)
  assert.equal((await add('ann', { key })).status, 422)
  assert.equal((await add('ann', { title: first.body.title })).status, 422)
  const claim = () => forge.call('bob', 'POST', '/user/keys', { title: newTitle(), key })
  assert.equal((await claim()).status, 422)
  await forge.call('ann', 'DELETE', `${OPEN}/${first.body.id}`)
  assert.equal((await claim()).status, 422)
  await forge.call('ann', 'DELETE', `/repos/ann/second/keys/${second.body.id}`)
  assert.equal((await claim()).status, 201)
  assert.equal((await add('ann', { key })).status, 422)
})

test('after its repository is deleted, a deploy key can be added by a user', async () => {
  const key = newKey()
  await forge.call('ann', 'POST', '/user/repos', { name: 'brief' })
  assert.equal((await add('ann', { key }, '/repos/ann/brief/keys')).status, 201)
  await forge.call('ann', 'DELETE', '/repos/ann/brief')
  assert.equal((await forge.call('bob', 'POST', '/user/keys', { title: newTitle(), key })).status, 201)
})

test('concurrent additions and removals of a key leave consistent rows', async () => {
  const key = newKey()
  const paths = [OPEN, '/repos/ann/second/keys', '/repos/ann/hidden/keys']
  for (let round = 0; round < 10; round++) {
    const added = await Promise.all(paths.map((path) => add('ann', { key }, path)))
    const claims = [0, 1].map(() => forge.call('bob', 'POST', '/user/keys', { title: newTitle(), key }))
    await Promise.all([
      ...claims,
      ...added.map(({ body }, i) => forge.call('ann', 'DELETE', `${paths[i]}/${body.id}`)),
    ])
    const rows = await forge.db
      .selectFrom('public_key')
      .select(['id', 'account_id'])
      .where('key', '=', key)
      .execute()
    for (const row of rows) {
      assert.notEqual(row.account_id, null, 'nobody uses it, so it should be gone')
      await forge.call('bob', 'DELETE', `/user/keys/${row.id}`)
    }
  }
})

test('filters find one key, and an invalid key_id filters nothing', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'listed' })
  const path = '/repos/ann/listed/keys'
  const [one, two] = [await add('ann', {}, path), await add('ann', {}, path)]
  const { body: token } = await addToken('listed')
  const list = async (query: string) => {
    const { body, headers } = await forge.call('ann', 'GET', `${path}${query}`)
    assert.equal(headers.get('link'), null)
    return { ids: body.map(({ id }: { id: number }) => id), total: Number(headers.get('x-total-count')) }
  }
  const all = [one.body.id, two.body.id, token.id]
  assert.deepEqual(await list(''), { ids: all, total: 3 })
  assert.deepEqual(await list('?limit=2&page=2'), { ids: [token.id], total: 3 })
  assert.deepEqual(await list(`?key_id=${two.body.key_id}`), { ids: [two.body.id], total: 1 })
  const fingerprint = encodeURIComponent(one.body.fingerprint)
  assert.deepEqual(await list(`?fingerprint=${fingerprint}`), { ids: [one.body.id], total: 1 })
  assert.deepEqual(await list(`?fingerprint=${fingerprint}&key_id=${two.body.key_id}`), { ids: [], total: 0 })
  assert.deepEqual(await list('?key_id=abc'), { ids: all, total: 3 })
  assert.deepEqual(await list('?key_id=0'), { ids: all, total: 3 })
})

test('a deploy token is shown once, stored as a digest, and has a title of at most fifty characters', async () => {
  const { status, body } = await addToken('hidden', { title: 't'.repeat(50), read_only: true })
  assert.equal(status, 201)
  assert.match(body.token, /^gdt_[0-9A-Za-z]{43}$/)
  const { token, repository: _, ...rest } = body
  const { repository, ...seen } = (await forge.call('ann', 'GET', `/repos/ann/hidden/keys/${body.id}`)).body
  assert.deepEqual(seen, rest)
  assert.equal(repository.full_name, 'ann/hidden')
  assert.deepEqual(
    { key: seen.key, key_id: seen.key_id, fingerprint: seen.fingerprint, key_type: seen.key_type },
    { key: '', key_id: 0, fingerprint: '', key_type: 'token' },
  )
  const kept = await forge.db
    .selectFrom('deploy_key')
    .selectAll()
    .where('id', '=', body.id)
    .executeTakeFirst()
  assert.ok(!JSON.stringify(kept).includes(token))
  for (const wrong of [{ title: 't'.repeat(51) }, { title: '' }, { title: undefined }])
    assert.equal((await addToken('hidden', wrong)).status, 422)
  assert.equal((await addToken('hidden', { title: body.title })).status, 422)
})

/** A work tree whose origin has the token as the user name or as the password. */
async function clientOf(path: string, token: string, place: 'name' | 'password' = 'password') {
  const client = await GitClient.open(forge, null, path)
  const url = new URL(client.remote)
  url.username = place === 'name' ? token : 'anything'
  if (place === 'password') url.password = token
  await client.ok('remote', 'set-url', 'origin', url.href)
  return client
}

async function sow(path: string): Promise<string> {
  await using ann = await GitClient.open(forge, 'ann', path)
  await ann.commit('readme.md', `of ${path}`)
  await ann.ok('push', '--quiet', '--force', 'origin', 'main')
  return await ann.ok('rev-parse', 'HEAD')
}

for (const place of ['name', 'password'] as const)
  test(`git fetches and pushes over HTTPS with a token as the ${place}`, async () => {
    const head = await sow('ann/hidden')
    const { body } = await addToken('hidden')
    await using client = await clientOf('ann/hidden', body.token, place)
    await client.ok('pull', '--quiet', 'origin', 'main')
    assert.equal(await client.ok('rev-parse', 'HEAD'), head)
    const pushed = await client.commit('by-token.txt', place)
    await client.ok('push', '--quiet', 'origin', `main:by-${place}`)
    assert.equal(await client.remoteRef(`refs/heads/by-${place}`), pushed)
  })

test('a push with a deploy key emits an event with the owner as actor and the id of the key', async () => {
  const { body } = await addToken('second')
  await using client = await clientOf('ann/second', body.token)
  await client.commit('told.txt', 'told')
  await client.ok('push', '--quiet', 'origin', 'main:told')
  const events = await forge.db
    .selectFrom('event')
    .select('payload')
    .where('subject', '=', 'refs.moved')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  const payload = events[0]?.payload as { actor_id: number; deploy_key_id: number }
  assert.equal(payload.actor_id, (await forge.call('ann', 'GET', '/user')).body.id)
  assert.equal(payload.deploy_key_id, body.id)
})

test('a push with a read-only deploy token is refused with 403', async () => {
  await sow('ann/hidden')
  const { body } = await addToken('hidden', { read_only: true })
  await using client = await clientOf('ann/hidden', body.token)
  await client.ok('pull', '--quiet', 'origin', 'main')
  await client.commit('no.txt', 'no')
  const { code, output } = await client.run('push', 'origin', 'main:refused')
  assert.notEqual(code, 0)
  assert.match(output, /403/)
  assert.equal(await client.remoteRef('refs/heads/refused'), '')
})

test('a deploy token opens no other repository, not even a public one', async () => {
  await sow('ann/open')
  const { body } = await addToken('hidden')
  const authorization = `Basic ${Buffer.from(`x:${body.token}`).toString('base64')}`
  for (const path of ['ann/open', 'ann/second', 'ann/none'])
    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      const address = `//${path}.git/info/refs?service=${service}`
      assert.equal((await forge.call(null, 'GET', address, undefined, { authorization })).status, 404)
    }
  await using client = await clientOf('ann/open', body.token)
  await client.commit('no.txt', 'no')
  assert.match((await client.run('push', 'origin', 'main:refused')).output, /not found/)
})

test('a deploy token is accepted for git only, not for the API', async () => {
  const { body } = await addToken('hidden')
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  for (const authorization of [
    `token ${body.token}`,
    `bearer ${body.token}`,
    basic(`${body.token}:`),
    basic(`ann:${body.token}`),
  ]) {
    const { status } = await forge.call(null, 'GET', '/repos/ann/hidden', undefined, { authorization })
    assert.equal(status, 401, authorization)
  }
  const asked = '//ann/hidden/info/refs?service=git-upload-pack'
  const byBearer = await forge.call(null, 'GET', asked, undefined, { authorization: `bearer ${body.token}` })
  assert.equal(byBearer.status, 401)
})

test('a deleted or unknown deploy token is refused at once', async () => {
  const { body } = await addToken('hidden')
  await using client = await clientOf('ann/hidden', body.token)
  await client.ok('ls-remote', 'origin')
  await forge.call('ann', 'DELETE', `/repos/ann/hidden/keys/${body.id}`)
  assert.notEqual((await client.run('ls-remote', 'origin')).code, 0)
  await using stranger = await clientOf('ann/hidden', `gdt_${'x'.repeat(43)}`)
  assert.match((await stranger.run('ls-remote', 'origin')).output, /Authentication failed/)
})

test('the last use of a deploy token is recorded to the minute', async () => {
  const { body } = await addToken('hidden')
  const lastUse = async () => {
    const row = forge.db.selectFrom('deploy_key').select('last_used_at').where('id', '=', body.id)
    return (await row.executeTakeFirstOrThrow()).last_used_at?.toISOString() ?? null
  }
  await using client = await clientOf('ann/hidden', body.token)
  assert.equal(await lastUse(), null)
  await client.ok('ls-remote', 'origin')
  const first = await lastUse()
  assert.equal(first, forge.ctx.now().toISOString())
  forge.advance(30_000)
  await client.ok('ls-remote', 'origin')
  assert.equal(await lastUse(), first)
  forge.advance(31_000)
  await client.ok('ls-remote', 'origin')
  assert.equal(await lastUse(), forge.ctx.now().toISOString())
})

test('a deploy token can fetch from an archived repository but not push to it', async () => {
  await forge.call('ann', 'POST', '/user/repos', { name: 'old', private: true })
  await sow('ann/old')
  const { body } = await addToken('old')
  await transact(forge.ctx, (ctx) =>
    ctx.db.updateTable('repository').set({ archived_at: ctx.now() }).where('name', '=', 'old').execute(),
  )
  assert.equal((await add('ann', {}, '/repos/ann/old/keys')).status, 423)
  assert.equal((await addToken('old')).status, 423)
  await using client = await clientOf('ann/old', body.token)
  await client.ok('pull', '--quiet', 'origin', 'main')
  assert.match((await client.run('push', 'origin', 'main:late')).output, /403/)
})
