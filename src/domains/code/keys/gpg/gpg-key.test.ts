/** OpenPGP keys of GnuPG and of openpgp.js; only parts that the key has signed count. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as openpgp from 'openpgp'
import { Problem } from '#platform/problem'
import {
  GPG_KEY_TEXT_BYTES_MAX,
  GPG_KEYS_MAX,
  GPG_SELF_SIGNATURES_MAX,
  GPG_SIGNATURE_TEXT_BYTES_MAX,
  type GpgKey,
  parseGpgKeys,
  verifyDetached,
} from './gpg-key.ts'

/** gpg-ann@example.test, expires in 2030. */
const ANN = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ3YCJRYJKwYBBAHaRw8BAQdAtRKqJ4YhLYOpIDBY/H5UPh/3W82SqSUCD6SK
uHNQ4vC0HkdwZyBBbm4gPGdwZy1hbm5AZXhhbXBsZS50ZXN0PoiWBBMWCAA+FiEE
W4Gp4aFxmasrimQUQo3agH/Ga4YFAmd2AiUCGwMFCQlmfxsFCwkIBwIGFQoJCAsC
BBYCAwECHgECF4AACgkQQo3agH/Ga4YOCQEAiOLF82PK3+nZaI9WjBuo/ZnDUwx0
qDwNcb2BfWlHPNABAJUVJPHRmXgBbjk+/M/uccBi/Xdlj0QUDc2gnYuBH0cL
=Kz+b
-----END PGP PUBLIC KEY BLOCK-----
`
/** Without an expiry date. */
const STRANGER = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ3YCJRYJKwYBBAHaRw8BAQdACRqJ2f6JRLIhSnm/zd7vYNsU+SRzyp6b1Qqy
g8vbEbW0JVN0cmFuZ2VyIDxzb21lYm9keS1lbHNlQGV4YW1wbGUudGVzdD6IkAQT
FggAOBYhBBqmgH/ejf23GITTDimqrKxKC501BQJndgIlAhsDBQsJCAcCBhUKCQgL
AgQWAgMBAh4BAheAAAoJECmqrKxKC5012BABAJYWegAQIVQwU5uqCkAz0QQj/HLy
BXJWcXm+n8IUndJJAP4sLKZ6oyXJN7QDWeU4sBZr3U9QmaSvZ5nlZ3h/Jo7JCw==
=MRu+
-----END PGP PUBLIC KEY BLOCK-----
`
/** From GnuPG: a revoked second user id, an encryption subkey for two years and a signing subkey for one year. */
const GNU = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mDMEZ3YCJRYJKwYBBAHaRw8BAQdA7i4eqSSpF76zhzTT8j7GLcdO/HDU5d2AO1jM
w/Iefte0GkdwZyBHbnUgPEdudUBFeGFtcGxlLlRlc3Q+iJAEExYIADgWIQRv4f3t
22vcN6ZrahubKLU2nBbLcgUCZ3YCJQIbAwULCQgHAgYVCgkICwIEFgIDAQIeAQIX
gAAKCRCbKLU2nBbLcutfAP43ED10tmuJuPvgdYAN9xX/E10DxOsAUQIhbPDf+7NX
BQD9FtZG2UyQlvugBtjwgryFFcxXctC2SHi00f+id0um+QK0Fk9sZCA8b2xkQGV4
YW1wbGUudGVzdD6IeAQwFggAIBYhBG/h/e3ba9w3pmtqG5sotTacFstyBQJndgIm
Ah0gAAoJEJsotTacFstykqAA/166dko1D4E81m5eINfFamN5+bu1FB36iuZBozWV
IO4cAP9/JepS15n4yYfr720YB88GqZp81NXJjIjLciBEGuO7BIiQBBMWCAA4FiEE
b+H97dtr3Dema2obmyi1NpwWy3IFAmd2AiUCGwMFCwkIBwIGFQoJCAsCBBYCAwEC
HgECF4AACgkQmyi1NpwWy3IhNwEAlzKJbMgfXTxRZGZEo9pPK+IrOUcoHr9HLS0X
VYChqdoA/1kMM9d+uZu0Ar6FxwtECmVeLPR4YfKnY0mB1fV5sfIBuDgEZ3YCJRIK
KwYBBAGXVQEFAQEHQIrug8X1uEjN+87DSd7W4Gn8WtFiSGJn0Vxfiw64AaYaAwEI
B4h+BBgWCAAmFiEEb+H97dtr3Dema2obmyi1NpwWy3IFAmd2AiUCGwwFCQPCZwAA
CgkQmyi1NpwWy3IgsAD7BCIaJxn2pJb9TabgrzSU0c0YeJ9+mXFes1c1jfGkn8IB
AKuudQEb84lK+Uoz6ZdLfG8XbU8YDMu3K6CoGFy3noYMuDMEZ3YCJRYJKwYBBAHa
Rw8BAQdAIQZPqBRMwci3K3ryM3JchIuumSdk54mvADyBcXFZy6mI9QQYFggAJhYh
BG/h/e3ba9w3pmtqG5sotTacFstyBQJndgIlAhsCBQkB4TOAAIEJEJsotTacFsty
diAEGRYIAB0WIQTpPwobNwAegKdsR1/Qi+BFu5janQUCZ3YCJQAKCRDQi+BFu5ja
nQtNAQCBvp6aUq8nkMWZT+dnf5IZLhYKi3TXMbh1oW28NCGnnQEA30rMBA2a1RAL
XiHUlQn0dEJp5vzAT2nHBGK96hMkHQ9YqgD/QJ+FKGpuWrrhyhPhAGU87H8trZDF
CTaG8RpPrKU6BN4BAJZzsXnVA3JpZP2cXI70ecJTncBiWKXtXwZJxEtwVbwE
=F/0t
-----END PGP PUBLIC KEY BLOCK-----
`
/** Signs «the token» with the signing subkey of GNU. */
const GNU_SIGNATURE = `-----BEGIN PGP SIGNATURE-----

iHUEABYIAB0WIQTpPwobNwAegKdsR1/Qi+BFu5janQUCZ3YCJQAKCRDQi+BFu5ja
ndYAAP4kc75OWrc0l7j52MB3BXiWRQNT4u59peRX5R6e04XCoAD9GKBXK3UOj8Kk
BZOQ+c05QpBKvNAeppEupg8AHko+kgw=
=sYxI
-----END PGP SIGNATURE-----
`
/** Signs a text of two lines with the primary key of GNU. */
const GNU_TEXT_SIGNATURE = `-----BEGIN PGP SIGNATURE-----

iHUEARYIAB0WIQRv4f3t22vcN6ZrahubKLU2nBbLcgUCZ3YCJQAKCRCbKLU2nBbL
cmz9AQCVyq/RP6zytI0nhNhRch7TboPcW5xOMioVJSUeFY9BcwD/ZnUFnARspSTW
Apw80xrf+7Q27qKu+fJ3ob6OGQupWws=
=EasF
-----END PGP SIGNATURE-----
`

const BORN = new Date('2025-01-02T03:04:05Z')
const YEAR_SECONDS = 365 * 24 * 60 * 60

test('a key that the reference has described is described in the same way', async () => {
  const { armored, ...key } = await parseOne(ANN)
  assert.deepEqual(key, {
    key_id: '428DDA807FC66B86',
    primary_key_id: '',
    public_key: 'xjMEZ3YCJRYJKwYBBAHaRw8BAQdAtRKqJ4YhLYOpIDBY/H5UPh/3W82SqSUCD6SKuHNQ4vA=',
    emails: ['gpg-ann@example.test'],
    subkeys: [],
    can_sign: true,
    can_encrypt_comms: false,
    can_encrypt_storage: false,
    can_certify: true,
    created_at: BORN,
    expires_at: new Date('2030-01-01T12:00:00Z'),
  })
  assert.deepEqual(await parseOne(armored), { ...key, armored })
})

test('a key without an expiry date has none', async () => {
  const key = await parseOne(STRANGER)
  assert.equal(key.expires_at, null)
  assert.deepEqual(key.emails, ['somebody-else@example.test'])
})

test('a GnuPG key has its subkeys, and no revoked address', async () => {
  const key = await parseOne(GNU)
  assert.equal(key.key_id, '9B28B5369C16CB72')
  assert.deepEqual(key.emails, ['gnu@example.test'])
  assert.deepEqual(
    key.subkeys.map((it) => [it.key_id, it.primary_key_id, it.can_sign, it.can_encrypt_comms, it.expires_at]),
    [
      ['0DBDDC5621300595', key.key_id, false, true, new Date('2027-01-02T03:04:05Z')],
      ['D08BE045BB98DA9D', key.key_id, true, false, new Date('2026-01-02T03:04:05Z')],
    ],
  )
  assert.equal(Buffer.from(key.subkeys[0]?.public_key ?? '', 'base64')[0], 0xce, 'the packet of a subkey')
})

for (const { kind, options, signs, encrypts, subkey } of [
  { kind: 'Ed25519', options: { type: 'curve25519' }, signs: true, encrypts: false, subkey: [false, true] },
  {
    kind: 'old Ed25519',
    options: { type: 'ecc', curve: 'ed25519Legacy' },
    signs: true,
    encrypts: false,
    subkey: [false, true],
  },
  {
    kind: 'P-256',
    options: { type: 'ecc', curve: 'nistP256' },
    signs: true,
    encrypts: false,
    subkey: [false, true],
  },
  { kind: 'Ed448', options: { type: 'curve448' }, signs: true, encrypts: false, subkey: [false, true] },
  { kind: 'RSA', options: { type: 'rsa', rsaBits: 2048 }, signs: true, encrypts: true, subkey: [true, true] },
] as const) {
  test(`the capabilities of a key of kind ${kind} follow from its algorithm`, async () => {
    const { publicKey } = await generate(options)
    const key = await parseOne(publicKey.armor())
    assert.equal(key.key_id, publicKey.getKeyID().toHex().toUpperCase())
    assert.match(key.key_id, /^[0-9A-F]{16}$/)
    for (const can of [key.can_sign, key.can_certify]) assert.equal(can, signs)
    for (const can of [key.can_encrypt_comms, key.can_encrypt_storage]) assert.equal(can, encrypts)
    assert.deepEqual(
      key.subkeys.map((it) => [it.can_sign, it.can_encrypt_comms]),
      [subkey],
    )
    assert.deepEqual(key.created_at, BORN)
    const packet = Buffer.from(key.public_key, 'base64')
    assert(Buffer.from(publicKey.write()).includes(packet.subarray(packet.length > 200 ? 3 : 2)))
  })
}

test('a version 6 key is described', async () => {
  const { publicKey } = await generate({ config: { v6Keys: true } })
  const key = await parseOne(publicKey.armor())
  assert.equal(key.key_id, publicKey.getFingerprint().slice(0, 16).toUpperCase())
  assert.deepEqual(key.emails, ['made@example.test'])
  assert.equal(key.subkeys.length, 1)
})

test('addresses are lower-case and unique, and a user id without an address adds none', async () => {
  const { publicKey } = await generate({
    userIDs: [
      { name: 'Ann', email: 'Ann@Example.test' },
      { name: 'Ann again', email: 'ann@example.test' },
      { name: 'Nameless' },
      { email: 'bare@example.test' },
    ],
  })
  assert.deepEqual((await parseOne(publicKey.armor())).emails, ['ann@example.test', 'bare@example.test'])
})

test('a subkey expires no later than its key, and an expired key is still described', async () => {
  const { publicKey } = await generate({
    keyExpirationTime: YEAR_SECONDS,
    subkeys: [{ keyExpirationTime: 2 * YEAR_SECONDS }, { keyExpirationTime: 60, sign: true }],
  })
  const key = await parseOne(publicKey.armor())
  const lastDay = new Date(BORN.getTime() + YEAR_SECONDS * 1000)
  assert.deepEqual(key.expires_at, lastDay)
  assert.deepEqual(
    key.subkeys.map((it) => it.expires_at),
    [lastDay, new Date(BORN.getTime() + 60_000)],
  )
})

test('revoked user ids and subkeys do not count', async () => {
  const { privateKey } = await generate({
    userIDs: [{ email: 'one@example.test' }, { email: 'two@example.test' }],
    subkeys: [{}, { sign: true }],
  })
  const [first, second] = privateKey.users
  const [kept, lost] = privateKey.subkeys
  assert(first !== undefined && second !== undefined && kept !== undefined && lost !== undefined)
  const secret = privateKey.keyPacket as openpgp.SecretKeyPacket
  privateKey.users = [first, await second.revoke(secret, undefined, BORN)]
  privateKey.subkeys = [kept, await lost.revoke(secret, undefined, BORN)]
  const key = await parseOne(privateKey.toPublic().armor())
  assert.deepEqual(key.emails, ['one@example.test'])
  assert.deepEqual(
    key.subkeys.map((it) => it.key_id),
    [kept.getKeyID().toHex().toUpperCase()],
  )
})

test('a user id or subkey copied from another key does not count', async () => {
  const thief = await openpgp.readKey({ armoredKey: STRANGER })
  const victim = await openpgp.readKey({ armoredKey: GNU })
  thief.users = [...thief.users, ...victim.users]
  thief.subkeys = [...thief.subkeys, ...victim.subkeys]
  const key = await parseOne(thief.armor())
  assert.deepEqual(key.emails, ['somebody-else@example.test'])
  assert.deepEqual(key.subkeys, [])
})

test('all keys of one block are described, each with a block of its own', async () => {
  const keys = await parseGpgKeys(await blockOf(ANN, STRANGER))
  assert.deepEqual(
    keys.map((key) => key.emails),
    [['gpg-ann@example.test'], ['somebody-else@example.test']],
  )
  for (const key of keys) assert.deepEqual(await parseOne(key.armored), key)
})

for (const [name, text, reason] of [
  ['nothing', () => '', /not a single public key block/],
  ['no block', () => 'nonsense', /not a single public key block/],
  ['two blocks', () => ANN + STRANGER, /not a single public key block/],
  ['a signature', () => GNU_SIGNATURE, /not a single public key block/],
  ['a block that is cut', () => ANN.slice(0, 200), /cannot be parsed/],
  ['a block of rubbish', () => ANN.replace('mDME', 'AAAA'), /cannot be parsed/],
  [
    'a signature named a key',
    () => GNU_SIGNATURE.replaceAll('SIGNATURE', 'PUBLIC KEY BLOCK'),
    /cannot be parsed/,
  ],
  ['a private key', async () => (await generate({})).privateKey.armor(), /private key/],
  [
    'a private key named a public one',
    async () => (await generate({})).privateKey.armor().replaceAll('PRIVATE', 'PUBLIC'),
    /private key/,
  ],
  ['a key that was revoked', async () => revoked(), /revoked/],
  ['a user id that was changed', async () => forged(), /no valid user ID/],
  ['a key without user id', async () => nameless(), /no valid user ID/],
  ['a long text', () => `${'x'.repeat(GPG_KEY_TEXT_BYTES_MAX)}${ANN}`, /too long/],
  ['too many keys', () => blockOf(...Array(GPG_KEYS_MAX + 1).fill(ANN)), /too many keys/],
  [
    'too many signatures of the key itself',
    async () => repeatedDirect(GPG_SELF_SIGNATURES_MAX),
    /too many signatures/,
  ],
  ['too many signatures', async () => repeated(GPG_SELF_SIGNATURES_MAX), /too many signatures/],
] as const) {
  test(`refused: ${name}`, async () => {
    const given = await text()
    await assert.rejects(parseGpgKeys(given), (error) => {
      assert(error instanceof Problem, `${error}`)
      assert.equal(error.kind, 'invalid')
      assert.match(error.message, /^invalid gpg key: /)
      assert.match(error.message, reason)
      return true
    })
  })
}

test('a GnuPG signature by a subkey, or of a text document, is verified', async () => {
  assert.equal(await verifyDetached(GNU, 'the token', GNU_SIGNATURE), true)
  assert.equal(await verifyDetached(GNU, 'two\nlines', GNU_TEXT_SIGNATURE), true)
  assert.equal(await verifyDetached(GNU, 'two\r\nlines', GNU_TEXT_SIGNATURE), true)
})

for (const [name, key, message, signature] of [
  ['another message', GNU, 'the token\n', GNU_SIGNATURE],
  ['an empty message', GNU, '', GNU_SIGNATURE],
  ['another key', ANN, 'the token', GNU_SIGNATURE],
  ['a text that is no signature', GNU, 'the token', 'nonsense'],
  ['no signature', GNU, 'the token', ''],
  ['a key as signature', GNU, 'the token', GNU],
  ['a signature as key', GNU_SIGNATURE, 'the token', GNU_SIGNATURE],
  ['a signature that was changed', GNU, 'the token', GNU_SIGNATURE.replace('kgw=', 'kg0=')],
  ['a long signature', GNU, 'the token', `${'x'.repeat(GPG_SIGNATURE_TEXT_BYTES_MAX)}\n${GNU_SIGNATURE}`],
  ['a long key', `${'x'.repeat(GPG_KEY_TEXT_BYTES_MAX)}\n${GNU}`, 'the token', GNU_SIGNATURE],
] as const) {
  test(`not a valid proof: ${name}`, async () => {
    assert.equal(await verifyDetached(key, message, signature), false)
  })
}

test('text before the key block is allowed within the size limit', async () => {
  assert.equal(await verifyDetached(`words\n${GNU}`, 'the token', `words\n${GNU_SIGNATURE}`), true)
})

test('a signature counts if the key was valid when it was made', async () => {
  const { privateKey, publicKey } = await generate({ keyExpirationTime: YEAR_SECONDS })
  const inTime = await sign(privateKey, 'words', new Date(BORN.getTime() + 1000))
  assert.equal(await verifyDetached(publicKey.armor(), 'words', inTime), true)
  const other = await generate({})
  const foreign = await sign(other.privateKey, 'words', BORN)
  assert.equal(await verifyDetached(publicKey.armor(), 'words', foreign), false)
  assert.equal(await verifyDetached(other.publicKey.armor(), 'words', foreign), true)
})

test('a signature made after the expiry of its key does not count', async () => {
  const endless = await generate({})
  const late = await sign(endless.privateKey, 'words', new Date(BORN.getTime() + 2 * YEAR_SECONDS * 1000))
  assert.equal(await verifyDetached(endless.publicKey.armor(), 'words', late), true)
  const ended = await openpgp.reformatKey({
    privateKey: endless.privateKey,
    userIDs: [{ email: 'made@example.test' }],
    keyExpirationTime: YEAR_SECONDS,
    date: BORN,
    format: 'object',
  })
  assert.equal(await verifyDetached(ended.publicKey.armor(), 'words', late), false)
})

test('one valid signature among several is enough', async () => {
  const one = await generate({})
  const two = await generate({})
  const message = await openpgp.createMessage({ text: 'words' })
  const signingKeys = [one.privateKey, two.privateKey]
  const both = await openpgp.sign({ message, signingKeys, detached: true, date: BORN })
  assert.equal(await verifyDetached(one.publicKey.armor(), 'words', both), true)
  assert.equal(await verifyDetached(two.publicKey.armor(), 'words', both), true)
  assert.equal(await verifyDetached(GNU, 'words', both), false)
})

/** On failure fast-check prints the seed and the path of the counterexample. */
test('a damaged key is refused, or describes nothing that the key did not sign', async () => {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat(3),
    added: fc.oneof(fc.string({ maxLength: 3 }), fc.base64String({ maxLength: 8 })),
  })
  const known = new Set(['gpg-ann@example.test', 'gnu@example.test'])
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(ANN, GNU), edit, async (text, { at, removed, added }) => {
      const start = Math.floor(at * text.length)
      const damaged = text.slice(0, start) + added + text.slice(start + removed)
      const keys = await parseGpgKeys(damaged).catch((error) => {
        if (error instanceof Problem && error.kind === 'invalid') return []
        throw error
      })
      for (const email of keys.flatMap((key) => key.emails)) assert(known.has(email), email)
    }),
    { numRuns: 500 },
  )
})

test('a damaged signature never verifies another message and never throws', async () => {
  const edit = fc.record({ at: fc.nat(GNU_SIGNATURE.length), added: fc.string({ maxLength: 3 }) })
  await fc.assert(
    fc.asyncProperty(edit, async ({ at, added }) => {
      const damaged = GNU_SIGNATURE.slice(0, at) + added + GNU_SIGNATURE.slice(at + 1)
      assert.equal(await verifyDetached(GNU, 'other words', damaged), false)
    }),
    { numRuns: 300 },
  )
})

interface KeyPair {
  readonly privateKey: openpgp.PrivateKey
  readonly publicKey: openpgp.PublicKey
}

async function parseOne(text: string): Promise<GpgKey> {
  const [key, ...others] = await parseGpgKeys(text)
  assert(key !== undefined && others.length === 0)
  return key
}

function generate(options: Partial<Parameters<typeof openpgp.generateKey>[0]>): Promise<KeyPair> {
  const userIDs = [{ name: 'Made', email: 'made@example.test' }]
  return openpgp.generateKey({ type: 'curve25519', userIDs, date: BORN, ...options, format: 'object' })
}

async function sign(key: openpgp.PrivateKey, text: string, date: Date): Promise<string> {
  const message = await openpgp.createMessage({ text, date })
  return openpgp.sign({ message, signingKeys: key, detached: true, date })
}

async function blockOf(...armored: string[]): Promise<string> {
  const keys = await Promise.all(armored.map((armoredKey) => openpgp.readKey({ armoredKey })))
  const bytes = Buffer.concat(keys.map((key) => key.write()))
  return openpgp.armor(openpgp.enums.armor.publicKey, bytes)
}

async function revoked(): Promise<string> {
  const { privateKey } = await generate({})
  const { publicKey } = await openpgp.revokeKey({ key: privateKey, date: BORN, format: 'object' })
  return publicKey.armor()
}

/** The user id has another address than the signed one. */
async function forged(): Promise<string> {
  const bytes = Buffer.from((await openpgp.readKey({ armoredKey: ANN })).write())
  bytes.write('gpg-bob', bytes.indexOf('gpg-ann'))
  return openpgp.armor(openpgp.enums.armor.publicKey, bytes)
}

async function nameless(): Promise<string> {
  const key = await openpgp.readKey({ armoredKey: ANN })
  key.users = []
  return key.armor()
}

async function repeated(times: number): Promise<string> {
  const key = await openpgp.readKey({ armoredKey: ANN })
  const [user] = key.users
  assert(user !== undefined)
  user.selfCertifications = Array(times + 1).fill(user.selfCertifications[0])
  return key.armor()
}

/** A version 6 key has a direct-key signature before any user id. */
async function repeatedDirect(times: number): Promise<string> {
  const { publicKey } = await generate({ config: { v6Keys: true } })
  const [key, direct, ...rest] = publicKey.toPacketList()
  assert(key !== undefined && direct instanceof openpgp.SignaturePacket)
  const packets = new openpgp.PacketList<openpgp.AnyPacket>()
  packets.push(key, ...Array(times).fill(direct), ...rest)
  return openpgp.armor(openpgp.enums.armor.publicKey, packets.write())
}
