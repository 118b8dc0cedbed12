/** Access tokens over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { internalOperations, openWorld, rawRoutes, routes, web } from '#cli'
import { findAccount, setPassword } from '#domains/people/users'
import { buildApp } from '#http'
import { type Forge, startForge } from '#testing'
import { digestOf, issueToken } from '../index.ts'

const PASSWORD = 'a long password'
let forge: Forge

before(async () => {
  forge = await startForge()
  const ann = await forge.person('ann')
  await setPassword(forge.ctx, ann, PASSWORD)
  await forge.person('bob')
  await forge.person('root', { is_admin: true })
  await forge.person('club', { kind: 'organization' })
  await forge.person('hidden', { visibility: 'private' })
})
after(() => forge[Symbol.asyncDispose]())

/** HTTP Basic with the user's token in place of the password. */
function basic(login: string, password = forge.tokenOf(login)): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` }
}

function bearer(token: string): Record<string, string> {
  return { authorization: `token ${token}` }
}

async function make(name: string, scopes: string[], headers = basic('ann', PASSWORD)) {
  return forge.call(null, 'POST', '/users/ann/tokens', { name, scopes }, headers)
}

for (const { who, headers, status } of [
  { who: 'nobody', headers: () => ({}), status: 401 },
  { who: 'a stranger with Basic', headers: () => basic('bob'), status: 403 },
  { who: 'a stranger with a token', headers: () => bearer(forge.tokenOf('bob')), status: 403 },
  { who: 'the owner with a token', headers: () => bearer(forge.tokenOf('ann')), status: 401 },
  { who: 'an administrator with a token', headers: () => bearer(forge.tokenOf('root')), status: 401 },
  { who: 'a wrong password', headers: () => basic('ann', 'a wrong password'), status: 401 },
] as { who: string; headers: () => Record<string, string>; status: number }[]) {
  test(`${who} can neither list, create nor revoke a token: ${status}`, async () => {
    const body = { name: 'x', scopes: ['all'] }
    assert.equal((await forge.call(null, 'GET', '/users/ann/tokens', undefined, headers())).status, status)
    assert.equal((await forge.call(null, 'POST', '/users/ann/tokens', body, headers())).status, status)
    assert.equal(
      (await forge.call(null, 'DELETE', '/users/ann/tokens/test', undefined, headers())).status,
      status,
    )
  })
}

for (const { who, headers } of [
  { who: 'the owner with a password', headers: () => basic('ann', PASSWORD) },
  { who: 'the owner with a token in place of the password', headers: () => basic('ann') },
  { who: 'an administrator', headers: () => basic('root') },
]) {
  test(`${who} creates, lists and revokes a token`, async () => {
    const made = await make(`of ${who}`, ['read:user'], headers())
    assert.equal(made.status, 201)
    const listed = await forge.call(null, 'GET', '/users/ann/tokens', undefined, headers())
    assert.equal(listed.status, 200)
    assert.equal(listed.body[0].id, made.body.id, 'the newest is the first')
    assert.equal(listed.body[0].sha1, '')
    assert.equal(listed.headers.get('link'), null)
    const path = `/users/ann/tokens/${encodeURIComponent(`of ${who}`)}`
    assert.equal((await forge.call(null, 'DELETE', path, undefined, headers())).status, 204)
    assert.equal((await forge.call(null, 'DELETE', path, undefined, headers())).status, 404)
  })
}

for (const { name, login, as, status } of [
  { name: 'an unknown person', login: 'none', as: 'root', status: 404 },
  { name: 'an organization', login: 'club', as: 'root', status: 404 },
  { name: 'a hidden person, asked for by a stranger', login: 'hidden', as: 'bob', status: 404 },
]) {
  test(`tokens of ${name} cannot be listed or created: ${status}`, async () => {
    const path = `/users/${login}/tokens`
    const body = { name: 'x', scopes: ['all'] }
    assert.equal((await forge.call(null, 'GET', path, undefined, basic(as))).status, status)
    assert.equal((await forge.call(null, 'POST', path, body, basic(as))).status, status)
  })
}

for (const { name, body, status } of [
  { name: 'no body', body: undefined, status: 422 },
  { name: 'no name', body: { scopes: ['all'] }, status: 422 },
  { name: 'an empty name', body: { name: '', scopes: ['all'] }, status: 422 },
  { name: 'a name that is too long', body: { name: 'n'.repeat(256), scopes: ['all'] }, status: 422 },
  { name: 'scopes that are no list', body: { name: 'x', scopes: 'all' }, status: 422 },
  { name: 'too many scopes', body: { name: 'x', scopes: Array(51).fill('all') }, status: 422 },
  { name: 'no scopes', body: { name: 'x' }, status: 400 },
  { name: 'empty scopes', body: { name: 'x', scopes: [] }, status: 400 },
  { name: 'an unknown scope', body: { name: 'x', scopes: ['read:user', 'sudo'] }, status: 400 },
  { name: 'a name that is used', body: { name: 'test', scopes: ['all'] }, status: 400 },
]) {
  test(`a request with ${name} is refused: ${status}`, async () => {
    const answer = await forge.call(null, 'POST', '/users/ann/tokens', body, basic('ann', PASSWORD))
    assert.equal(answer.status, status)
    assert.notEqual(answer.body.message, '')
  })
}

test('a token is shown once, works, and is not stored in plain text', async () => {
  const made = await make('secret', ['write:user', 'read:user', 'public-only'])
  const token: string = made.body.sha1
  assert.match(token, /^[0-9a-f]{40}$/)
  assert.equal(made.body.token_last_eight, token.slice(-8))
  assert.deepEqual(made.body.scopes, ['public-only', 'write:user'])
  assert.equal((await forge.call(null, 'GET', '/token', undefined, bearer(token))).status, 200)

  const row = await forge.db
    .selectFrom('access_token')
    .selectAll()
    .where('id', '=', made.body.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(row.digest, digestOf(token))
  assert.equal(row.digest.length, 32)
  assert.ok(!JSON.stringify(row).includes(token))
  const listed = await forge.call(null, 'GET', '/users/ann/tokens', undefined, basic('ann', PASSWORD))
  assert.ok(!JSON.stringify(listed.body).includes(token))
})

test('of ten concurrent tokens with one name one is created', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => (await make('race', ['all'])).status),
  )
  assert.deepEqual(statuses.sort(), [201, ...Array(9).fill(400)])
})

test('a token is revoked by its id, only by its owner', async () => {
  const { body } = await make('numbered', ['all'])
  const of = (login: string) => `/users/${login}/tokens/${body.id}`
  assert.equal((await forge.call(null, 'DELETE', of('bob'), undefined, basic('bob'))).status, 404)
  assert.equal((await forge.call(null, 'DELETE', of('root'), undefined, basic('root'))).status, 404)
  assert.equal((await forge.call(null, 'GET', '/token', undefined, bearer(body.sha1))).status, 200)
  assert.equal((await forge.call(null, 'DELETE', of('ann'), undefined, basic('ann', PASSWORD))).status, 204)
  assert.equal((await forge.call(null, 'GET', '/token', undefined, bearer(body.sha1))).status, 401)
  const beyond = '/users/ann/tokens/99999999999999999999'
  assert.equal((await forge.call(null, 'DELETE', beyond, undefined, basic('ann', PASSWORD))).status, 404)
})

test('a token can read and revoke itself, whatever its scopes', async () => {
  const { body } = await make('selfless', ['public-only'])
  const told = await forge.call(null, 'GET', '/token', undefined, bearer(body.sha1))
  const ann = await forge.call('ann', 'GET', '/token')
  assert.deepEqual(told.body, {
    id: body.id,
    name: 'selfless',
    scopes: ['public-only'],
    created_at: '2026-01-01T00:00:00Z',
    last_used_at: '2026-01-01T00:00:00Z',
    user: { id: ann.body.user.id, login: 'ann' },
  })
  assert.equal((await forge.call(null, 'DELETE', '/token', undefined, bearer(body.sha1))).status, 204)
  assert.equal((await forge.call(null, 'GET', '/token', undefined, bearer(body.sha1))).status, 401)
})

test('/token without an access token gets 401 or 404', async () => {
  assert.equal((await forge.call(null, 'GET', '/token')).status, 401)
  assert.equal((await forge.call(null, 'GET', '/token', undefined, basic('ann', PASSWORD))).status, 404)
  assert.equal((await forge.call(null, 'DELETE', '/token', undefined, basic('ann', PASSWORD))).status, 404)
})

test('a token used in HTTP Basic cannot create a token with more scopes', async () => {
  const { body } = await make('limited', ['write:user', 'read:issue'])
  const asLimited = basic('ann', body.sha1)
  assert.equal((await make('limited 1', ['all'], asLimited)).status, 403)
  assert.equal((await make('limited 2', ['write:issue'], asLimited)).status, 403)
  assert.equal((await make('limited 3', ['read:issue', 'public-only'], asLimited)).status, 201)
  const marked = await make('marked', ['write:user', 'public-only'])
  assert.equal((await make('marked 1', ['write:user'], basic('ann', marked.body.sha1))).status, 403)
  const reader = await make('reader', ['read:user'])
  assert.equal((await make('reader 1', ['read:user'], basic('ann', reader.body.sha1))).status, 403)
})

test('issueToken needs no caller, as for the command line', async () => {
  const bob = await findAccount(forge.db, 'bob')
  assert.ok(bob)
  const { row, token } = await issueToken(forge.ctx, bob, { name: 'command line', scopes: ['all'] })
  assert.equal(row.account_id, bob.id)
  assert.equal((await forge.call(null, 'GET', '/token', undefined, bearer(token))).body.user.login, 'bob')
})

test('a token revoked on one node is refused by another node on the next request', async () => {
  const open = await openWorld(forge.world.config, { listening: { host: '127.0.0.1', port: 0 } })
  const other = buildApp({
    world: open.world,
    routes,
    internalOperations,
    rawRoutes,
    web,
    isReady: async () => undefined,
  })
  try {
    const base = await other.listen({ host: '127.0.0.1', port: 0 })
    const ask = async (token: string) => {
      const answer = await fetch(`${base}/api/v1/token`, { headers: bearer(token) })
      await answer.body?.cancel()
      return answer.status
    }
    for (let i = 0; i < 5; i++) {
      const { body } = await make(`on two nodes ${i}`, ['all'])
      assert.equal(await ask(body.sha1), 200)
      const path = `/users/ann/tokens/${body.id}`
      assert.equal((await forge.call(null, 'DELETE', path, undefined, basic('ann', PASSWORD))).status, 204)
      assert.equal(await ask(body.sha1), 401)
    }
  } finally {
    await other.close()
    await open.close()
  }
})

// The clock is not advanced before this test.
test('the last use is recorded to the minute', async () => {
  const { body } = await make('used', ['all'])
  const lastUse = async () =>
    (await forge.call(null, 'GET', '/token', undefined, bearer(body.sha1))).body.last_used_at
  assert.equal(await lastUse(), '2026-01-01T00:00:00Z')
  forge.advance(61_000)
  assert.equal(await lastUse(), '2026-01-01T00:01:01Z')
})
