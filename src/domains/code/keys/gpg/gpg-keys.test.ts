/** GPG keys over REST, on a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as openpgp from 'openpgp'
import { type Forge, startForge } from '#testing'

let forge: Forge

before(async () => {
  forge = await startForge()
  await forge.person('ann')
  await forge.person('bob')
  await forge.person('root', { is_admin: true })
  await forge.person('hidden', { visibility: 'private' })
  await forge.person('reader', {}, ['read:user'])
  await forge.person('outsider', {}, ['write:repository'])
  await forge.person('limited', {}, ['write:user', 'public-only'])
})
after(() => forge[Symbol.asyncDispose]())

interface KeyPair {
  readonly armored: string
  readonly keyId: string
  readonly privateKey: openpgp.PrivateKey
}

/** With one encryption subkey and one signing subkey. */
async function newKey(...emails: string[]): Promise<KeyPair> {
  const { privateKey, publicKey } = await openpgp.generateKey({
    type: 'curve25519',
    userIDs: emails.map((email) => ({ name: 'Somebody', email })),
    subkeys: [{}, { sign: true }],
    date: forge.ctx.now(),
    format: 'object',
  })
  return { armored: publicKey.armor(), keyId: publicKey.getKeyID().toHex().toUpperCase(), privateKey }
}

async function sign({ privateKey }: KeyPair, text: string): Promise<string> {
  const message = await openpgp.createMessage({ binary: Buffer.from(text) })
  const date = forge.ctx.now()
  return openpgp.sign({ message, signingKeys: privateKey, detached: true, date })
}

async function proofText(as: string): Promise<string> {
  const { status, body } = await forge.call(as, 'GET', '/user/gpg_key_token')
  assert.equal(status, 200)
  return body
}

function add(as: string | null, armored_public_key: string, armored_signature?: string) {
  return forge.call(as, 'POST', '/user/gpg_keys', { armored_public_key, armored_signature })
}

function verify(as: string, key_id: string, armored_signature: string) {
  return forge.call(as, 'POST', '/user/gpg_key_verify', { key_id, armored_signature })
}

test('a key with a confirmed address is added, read with its subkeys, and deleted', async () => {
  const key = await newKey('Ann@example.test', 'stranger@example.test')
  const added = await add('ann', key.armored)
  assert.equal(added.status, 201)
  assert.equal(added.body.key_id, key.keyId)
  assert.equal(added.body.primary_key_id, '')
  assert.equal(added.body.verified, false)
  assert.equal(added.body.expires_at, null)
  assert.deepEqual(added.body.emails, [{ email: 'ann@example.test', verified: true }])
  assert.deepEqual(
    added.body.subkeys.map((it: typeof added.body) => [
      it.primary_key_id,
      it.can_sign,
      it.subkeys,
      it.emails,
    ]),
    [
      [key.keyId, false, [], []],
      [key.keyId, true, [], []],
    ],
  )
  const path = `/user/gpg_keys/${added.body.id}`
  assert.deepEqual((await forge.call('ann', 'GET', path)).body, added.body)
  assert.deepEqual((await forge.call('ann', 'GET', '/user/gpg_keys')).body, [added.body])
  assert.deepEqual((await forge.call('bob', 'GET', '/users/ann/gpg_keys')).body, [added.body])
  const subkey = `/user/gpg_keys/${added.body.subkeys[0].id}`
  assert.equal((await forge.call('ann', 'GET', subkey)).status, 404, 'a subkey is no key of its own')

  assert.equal((await forge.call('bob', 'GET', path)).status, 404)
  assert.equal((await forge.call('bob', 'DELETE', path)).status, 204)
  assert.equal((await forge.call('ann', 'DELETE', subkey)).status, 204)
  assert.equal((await forge.call('ann', 'GET', path)).body.subkeys.length, 2, 'nothing was deleted')
  assert.equal((await forge.call('ann', 'DELETE', path)).status, 204)
  assert.equal((await forge.call('ann', 'GET', path)).status, 404)
  assert.equal((await add('ann', key.armored)).status, 201, 'its subkeys are gone with it')
})

for (const { as, reads, writes } of [
  { as: null, reads: 401, writes: 401 },
  { as: 'reader', reads: 200, writes: 403 },
  { as: 'outsider', reads: 403, writes: 403 },
  { as: 'limited', reads: 403, writes: 403 },
  { as: 'bob', reads: 200, writes: 422 },
]) {
  test(`${as ?? 'anonymous'} reads own keys with ${reads} and sends an invalid key with ${writes}`, async () => {
    assert.equal((await forge.call(as, 'GET', '/user/gpg_keys')).status, reads)
    assert.equal((await forge.call(as, 'GET', '/user/gpg_key_token')).status, reads)
    assert.equal((await add(as, 'nonsense')).status, writes)
    assert.equal((await forge.call(as, 'POST', '/user/gpg_key_verify', {})).status, writes)
  })
}

for (const { as, login, status } of [
  { as: null, login: 'ann', status: 401 },
  { as: 'bob', login: 'none', status: 404 },
  { as: 'bob', login: 'hidden', status: 404 },
  { as: 'root', login: 'hidden', status: 200 },
  { as: 'limited', login: 'ann', status: 200 },
]) {
  test(`${as ?? 'anonymous'} gets ${status} for the keys of ${login}`, async () => {
    assert.equal((await forge.call(as, 'GET', `/users/${login}/gpg_keys`)).status, status)
  })
}

test('a key without a confirmed address is added only with a signature of the token', async () => {
  const key = await newKey('bob-elsewhere@example.test')
  const refused = await add('bob', key.armored)
  assert.equal(refused.status, 404)
  const text = await proofText('bob')
  assert.match(text, /^[0-9a-f]{64}$/)
  assert.ok(refused.headers.get('message')?.includes(text), 'the refusal says what to sign')

  assert.equal((await add('bob', key.armored, 'nonsense')).status, 422)
  assert.equal((await add('bob', key.armored, await sign(key, 'another text'))).status, 422)
  assert.equal((await add('bob', key.armored, await sign(key, await proofText('ann')))).status, 422)
  const other = await newKey('other@example.test')
  assert.equal((await add('bob', key.armored, await sign(other, text))).status, 422)

  const added = await add('bob', key.armored, await sign(key, text))
  assert.equal(added.status, 201)
  assert.equal(added.body.verified, true)
  assert.deepEqual(added.body.emails, [])
  assert.ok(added.body.subkeys.every((it: typeof added.body) => it.verified))
})

test('an unconfirmed address does not count', async () => {
  const zoe = await forge.person('zoe')
  const email = 'zoe-new@example.test'
  const row = { account_id: zoe.id, email, email_key: email, is_verified: false }
  await forge.db.insertInto('account_email').values(row).execute()
  const key = await newKey(email)
  assert.equal((await add('zoe', key.armored)).status, 404)
  const added = await add('zoe', key.armored, await sign(key, await proofText('zoe')))
  assert.deepEqual(added.body.emails, [{ email, verified: false }])

  await forge.db
    .updateTable('account_email')
    .set({ is_verified: true })
    .where('account_id', '=', zoe.id)
    .execute()
  const path = `/user/gpg_keys/${added.body.id}`
  assert.deepEqual((await forge.call('zoe', 'GET', path)).body.emails, [{ email, verified: true }])
  await forge.db.deleteFrom('account_email').where('email', '=', email).execute()
  assert.deepEqual((await forge.call('zoe', 'GET', path)).body.emails, [], 'it is no longer hers')
})

test('all keys of a block are added, or only the one that signed the token', async () => {
  await forge.person('eve')
  const [first, second] = [await newKey('eve@example.test'), await newKey('eve@example.test')]
  const text = await bundle(first, second)
  const signed = await add('eve', text, await sign(second, await proofText('eve')))
  assert.equal(signed.body.key_id, second.keyId)
  assert.equal((await forge.call('eve', 'GET', '/user/gpg_keys')).body.length, 1)
  assert.equal((await add('eve', text)).status, 422, 'the second is there already')
  assert.equal((await forge.call('eve', 'GET', '/user/gpg_keys')).body.length, 1, 'and so neither is added')

  const third = await newKey('eve@example.test')
  const added = await add('eve', await bundle(first, third))
  assert.equal(added.body.key_id, first.keyId)
  const listed = await forge.call('eve', 'GET', '/user/gpg_keys')
  assert.deepEqual(
    listed.body.map((it: typeof added.body) => it.key_id),
    [second.keyId, first.keyId, third.keyId],
  )
  assert.equal(listed.headers.get('x-total-count'), '3')
  assert.equal((await forge.call('eve', 'GET', '/user/gpg_keys?limit=2&page=2')).body.length, 1)
})

test('a key can be added once in the whole forge, even by concurrent requests', async () => {
  const key = await newKey('ann@example.test', 'bob@example.test')
  const answers = await Promise.all(['ann', 'bob', 'ann', 'bob'].map((as) => add(as, key.armored)))
  assert.deepEqual(answers.map((it) => it.status).sort(), [201, 422, 422, 422])
})

test('a key can be added although another user’s key claims its subkey', async () => {
  const key = await newKey('ann@example.test')
  const [claimed] = key.privateKey.toPublic().subkeys
  const bob = await forge.db.selectFrom('account').select('id').where('login', '=', 'bob').executeTakeFirst()
  const part = {
    account_id: bob?.id ?? 0,
    key_id: claimed?.getKeyID().toHex().toUpperCase() ?? '',
    public_key: '',
    armored: '',
    emails: '[]',
    primary_id: null,
    created_at: null,
    expires_at: null,
    added_at: forge.ctx.now(),
  }
  const powers = { can_sign: false, can_encrypt_comms: true, can_encrypt_storage: true, can_certify: false }
  await forge.db
    .insertInto('gpg_key')
    .values({ ...part, ...powers })
    .execute()
  const added = await add('ann', key.armored)
  assert.equal(added.status, 201)
  assert.equal(added.body.subkeys.length, key.privateKey.subkeys.length)
})

for (const { ending, name } of [
  { ending: '', name: 'alone' },
  { ending: '\n', name: 'with a line feed' },
  { ending: '\r\n', name: 'with a line end of Windows' },
]) {
  test(`a key is verified later by a signature of the token ${name}`, async () => {
    const key = await newKey('ann@example.test')
    const { body } = await add('ann', key.armored)
    const text = await proofText('ann')
    assert.equal((await verify('ann', key.keyId, await sign(key, `${text} `))).status, 422)
    assert.equal((await verify('bob', key.keyId, await sign(key, await proofText('bob')))).status, 404)
    assert.equal((await verify('ann', 'FFFFFFFFFFFFFFFF', await sign(key, text))).status, 404)
    const proven = await verify('ann', key.keyId.toLowerCase(), await sign(key, text + ending))
    assert.equal(proven.status, 200)
    assert.equal(proven.body.id, body.id)
    assert.equal(proven.body.verified, true)
    assert.ok(proven.body.subkeys.every((it: typeof body) => it.verified))
  })
}

test('a key can be verified by the id of its subkey', async () => {
  const key = await newKey('ann@example.test')
  const { body } = await add('ann', key.armored)
  const proven = await verify('ann', body.subkeys[1].key_id, await sign(key, await proofText('ann')))
  assert.equal(proven.body.id, body.id)
  assert.equal(proven.body.verified, true)
})

// The clock is not advanced before this test.
test('the token to sign is valid for one to two hours', async () => {
  const key = await newKey('ann@example.test')
  await add('ann', key.armored)
  const text = await proofText('ann')
  const signature = await sign(key, text)
  forge.advance(3_600_000)
  assert.notEqual(await proofText('ann'), text)
  assert.equal((await verify('ann', key.keyId, signature)).status, 200)
  forge.advance(3_600_000)
  assert.equal((await verify('ann', key.keyId, signature)).status, 422)
})

async function bundle(...pairs: KeyPair[]): Promise<string> {
  const packets = new openpgp.PacketList<openpgp.AnyPacket>()
  for (const { privateKey } of pairs) packets.push(...privateKey.toPublic().toPacketList())
  return openpgp.armor(openpgp.enums.armor.publicKey, packets.write())
}
