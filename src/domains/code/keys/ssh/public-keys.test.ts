/** Public SSH keys over REST, on a real database. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Forge, startForge } from '#testing'
import { findPublicKeyByFingerprint, touchPublicKey } from '../index.ts'

let forge: Forge

before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('bob')
  await forge.person('root', { is_admin: true })
  await forge.person('hidden', { visibility: 'private' })
  await forge.person('club', { kind: 'organization' })
  await forge.person('reader', {}, ['read:user'])
  await forge.person('outsider', {}, ['write:repository'])
  await forge.person('limited', {}, ['write:user', 'public-only'])
})
after(() => forge[Symbol.asyncDispose]())

/** Any 32 bytes are accepted: they need not be a point of the curve. */
function newKey(): string {
  const field = (bytes: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  }
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(randomBytes(32))])
  return `ssh-ed25519 ${blob.toString('base64')}`
}

let titles = 0
const newTitle = () => `key ${++titles}`
const add = (as: string | null, body: unknown) => forge.call(as, 'POST', '/user/keys', body)

test('a key is added, read by its owner, and deleted', async () => {
  const key = newKey()
  const added = await add('ann', { title: ' laptop ', key: `${key}  ann at  home `, read_only: true })
  assert.equal(added.status, 201)
  const { id, fingerprint, user, ...rest } = added.body
  assert.match(fingerprint, /^SHA256:[\w+/]{43}$/)
  assert.equal(user.login, 'ann')
  assert.equal(user.email, 'ann@example.test')
  assert.deepEqual(rest, {
    key: `${key}  ann at  home`,
    url: `http://forge.test/api/v1/user/keys/${id}`,
    title: ' laptop ',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    last_used_at: '2026-01-01T00:00:00Z',
    read_only: true,
    key_type: 'user',
  })
  assert.deepEqual((await forge.call('ann', 'GET', `/user/keys/${id}`)).body, added.body)
  assert.equal((await forge.call('ann', 'DELETE', `/user/keys/${id}`)).status, 204)
  assert.equal((await forge.call('ann', 'GET', `/user/keys/${id}`)).status, 404)
  assert.equal((await forge.call('ann', 'DELETE', `/user/keys/${id}`)).status, 404)
})

for (const { as, reads, writes } of [
  { as: null, reads: 401, writes: 401 },
  { as: 'reader', reads: 200, writes: 403 },
  { as: 'outsider', reads: 403, writes: 403 },
  { as: 'limited', reads: 403, writes: 403 },
  { as: 'bob', reads: 200, writes: 201 },
]) {
  test(`${as ?? 'anonymous'} reads own keys with ${reads} and adds one with ${writes}`, async () => {
    assert.equal((await forge.call(as, 'GET', '/user/keys')).status, reads)
    assert.equal((await add(as, { title: newTitle(), key: newKey() })).status, writes)
  })
}

for (const { as, path, status } of [
  { as: null, path: '/users/ann/keys', status: 401 },
  { as: null, path: '/users/none/keys', status: 401 },
  { as: 'bob', path: '/users/ann/keys', status: 200 },
  { as: 'limited', path: '/users/ann/keys', status: 200 },
  { as: 'outsider', path: '/users/ann/keys', status: 403 },
  { as: 'bob', path: '/users/none/keys', status: 404 },
  { as: 'bob', path: '/users/hidden/keys', status: 404 },
  { as: 'root', path: '/users/hidden/keys', status: 200 },
  { as: 'hidden', path: '/users/hidden/keys', status: 200 },
]) {
  test(`${as ?? 'anonymous'} gets ${status} on ${path}`, async () => {
    assert.equal((await forge.call(as, 'GET', path)).status, status)
  })
}

for (const { name, body } of [
  { name: 'no body', body: undefined },
  { name: 'no title', body: { key: newKey() } },
  { name: 'an empty title', body: { key: newKey(), title: '' } },
  { name: 'a title that is too long', body: { key: newKey(), title: 't'.repeat(256) } },
  { name: 'a title that is no text', body: { key: newKey(), title: 7 } },
  { name: 'no key', body: { title: 'x' } },
  { name: 'an empty key', body: { key: '', title: 'x' } },
  { name: 'a text that is no key', body: { key: 'ssh-ed25519 nonsense', title: 'x' } },
  { name: 'two keys in one text', body: { key: `${newKey()}\n${newKey()}`, title: 'x' } },
  { name: 'a text that is too long', body: { key: newKey() + ' '.repeat(10_000), title: 'x' } },
]) {
  test(`a request with ${name} is refused`, async () => {
    const answer = await add('ann', body)
    assert.equal(answer.status, 422)
    assert.notEqual(answer.body.message, '')
  })
}

test('a key is unique in the whole forge regardless of its comment, a title for each user', async () => {
  const key = newKey()
  const title = newTitle()
  assert.equal((await add('ann', { key, title })).status, 201)
  const again = await add('ann', { key: `${key} again`, title })
  assert.equal(again.status, 422)
  assert.match(again.body.message, /key has been used/)
  assert.match((await add('bob', { key, title: newTitle() })).body.message, /key has been used/)
  assert.match((await add('ann', { key: newKey(), title })).body.message, /key title has been used/)
  assert.equal((await add('bob', { key: newKey(), title })).status, 201)
})

test('a deleted key can be added by another user', async () => {
  const key = newKey()
  const { body } = await add('ann', { key, title: newTitle() })
  assert.equal((await forge.call('ann', 'DELETE', `/user/keys/${body.id}`)).status, 204)
  assert.equal((await add('bob', { key, title: newTitle() })).status, 201)
})

test('of concurrent additions of one key by two users one succeeds', async () => {
  for (let i = 0; i < 20; i++) {
    const key = newKey()
    const answers = await Promise.all(
      ['ann', 'bob'].map((as) => add(as, { key: `${key} of ${as}`, title: newTitle() })),
    )
    assert.deepEqual(answers.map((it) => it.status).sort(), [201, 422])
    const [winner] = answers.filter((it) => it.status === 201)
    const kept = await findPublicKeyByFingerprint(forge.db, winner?.body.fingerprint)
    assert.equal(kept?.id, winner?.body.id)
  }
})

test('of ten concurrent keys with one title one is added', async () => {
  const title = newTitle()
  const answers = await Promise.all(Array.from({ length: 10 }, () => add('ann', { key: newKey(), title })))
  assert.deepEqual(answers.map((it) => it.status).sort(), [201, ...Array(9).fill(422)])
})

test('any user can read a key by its id; only its owner and administrators see the owner', async () => {
  const { body } = await add('ann', { key: newKey(), title: newTitle() })
  const path = `/user/keys/${body.id}`
  const seen = await forge.call('bob', 'GET', path)
  assert.equal(seen.status, 200)
  const { user: _user, key_type: _type, ...open } = body
  assert.deepEqual(seen.body, open)
  assert.deepEqual((await forge.call('root', 'GET', path)).body, body)
  assert.equal((await forge.call(null, 'GET', path)).status, 401)
  assert.equal((await forge.call('bob', 'GET', '/user/keys/nonsense')).status, 404)

  const secret = await add('hidden', { key: newKey(), title: newTitle() })
  assert.equal((await forge.call('bob', 'GET', `/user/keys/${secret.body.id}`)).status, 404)
  assert.equal((await forge.call('root', 'GET', `/user/keys/${secret.body.id}`)).status, 200)
})

test('only its owner or an administrator can delete a key', async () => {
  const path = async () => `/user/keys/${(await add('ann', { key: newKey(), title: newTitle() })).body.id}`
  const kept = await path()
  assert.equal((await forge.call(null, 'DELETE', kept)).status, 401)
  assert.equal((await forge.call('bob', 'DELETE', kept)).status, 403)
  assert.equal((await forge.call('limited', 'DELETE', kept)).status, 403)
  assert.equal((await forge.call('ann', 'GET', kept)).status, 200)
  assert.equal((await forge.call('root', 'DELETE', kept)).status, 204)
  assert.equal((await forge.call('root', 'DELETE', kept)).status, 404)
})

test('only an administrator can add and delete keys of other users', async () => {
  const body = { key: newKey(), title: newTitle() }
  assert.equal((await forge.call(null, 'POST', '/admin/users/bob/keys', body)).status, 401)
  assert.equal((await forge.call('ann', 'POST', '/admin/users/bob/keys', body)).status, 403)
  assert.equal((await forge.call('ann', 'POST', '/admin/users/none/keys', body)).status, 403)
  assert.equal((await forge.call('root', 'POST', '/admin/users/none/keys', body)).status, 404)
  assert.equal((await forge.call('root', 'POST', '/admin/users/club/keys', body)).status, 422)
  const given = await forge.call('root', 'POST', '/admin/users/bob/keys', body)
  assert.equal(given.status, 201)
  assert.equal(given.body.user.login, 'bob')
  assert.equal((await forge.call('root', 'POST', '/admin/users/ann/keys', body)).status, 422)
  const path = (login: string) => `/admin/users/${login}/keys/${given.body.id}`
  assert.equal((await forge.call('bob', 'DELETE', path('bob'))).status, 403)
  assert.equal((await forge.call('root', 'DELETE', path('ann'))).status, 403)
  assert.equal((await forge.call('root', 'DELETE', path('bob'))).status, 204)
  assert.equal((await forge.call('root', 'DELETE', path('bob'))).status, 404)
})

test('keys are listed in the order of creation, in pages, and found by fingerprint', async () => {
  await forge.person('lister')
  const added: { id: number; fingerprint: string }[] = []
  for (let i = 0; i < 3; i++) added.push((await add('lister', { key: newKey(), title: newTitle() })).body)
  const idsOf = (answer: { body: { id: number }[] }) => answer.body.map((it) => it.id)
  const first = await forge.call('lister', 'GET', '/user/keys?limit=2')
  assert.deepEqual(
    idsOf(first),
    added.slice(0, 2).map((it) => it.id),
  )
  assert.equal(first.headers.get('x-total-count'), '3')
  assert.match(first.headers.get('link') ?? '', /page=2>; rel="next"/)
  const rest = await forge.call('bob', 'GET', '/users/lister/keys?limit=2&page=2')
  assert.deepEqual(idsOf(rest), [added[2]?.id])

  const wanted = `fingerprint=${encodeURIComponent(added[1]?.fingerprint ?? '')}`
  for (const path of ['/user/keys', '/users/lister/keys']) {
    const found = await forge.call('lister', 'GET', `${path}?${wanted}`)
    assert.deepEqual(idsOf(found), [added[1]?.id])
    assert.equal(found.headers.get('x-total-count'), '1')
  }
  assert.deepEqual((await forge.call('bob', 'GET', `/user/keys?${wanted}`)).body, [], 'it is not his own')
  assert.deepEqual((await forge.call('lister', 'GET', '/user/keys?fingerprint=SHA256:none')).body, [])
  assert.equal((await forge.call('lister', 'GET', '/user/keys?fingerprint=')).body.length, 3)
})

// The clock is not advanced before this test.
test('the last use of a key is recorded to the minute', async () => {
  const { body } = await add('ann', { key: newKey(), title: newTitle() })
  const use = async () => {
    const key = await findPublicKeyByFingerprint(forge.db, body.fingerprint)
    assert.ok(key)
    await touchPublicKey(forge.ctx, key)
    return (await forge.call('ann', 'GET', `/user/keys/${body.id}`)).body.updated_at
  }
  forge.advance(90_000)
  assert.equal(await use(), '2026-01-01T00:01:30Z')
  forge.advance(30_000)
  assert.equal(await use(), '2026-01-01T00:01:30Z')
  forge.advance(31_000)
  assert.equal(await use(), '2026-01-01T00:02:31Z')
})
