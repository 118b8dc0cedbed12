/** Encrypted secrets: decryption, tampering, and key rotation. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { openSeal } from './seal.ts'

const OLD = 'an old passphrase, long enough to be one'
const NEW = randomBytes(32).toString('base64')
const SECRET = 'hunter2 ✓'

for (const [what, key] of [
  ['base64', randomBytes(32).toString('base64')],
  ['base64url', randomBytes(32).toString('base64url')],
  ['hexadecimal', randomBytes(32).toString('hex')],
  ['a passphrase', OLD],
] as const) {
  test(`a secret is decrypted with a key in ${what}`, () => {
    const seal = openSeal([key])
    for (const plain of ['', SECRET, 'x'.repeat(100_000)]) {
      const sealed = seal.seal('webhook', plain)
      assert.match(sealed, /^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/)
      assert.equal(seal.open('webhook', sealed), plain)
    }
  })
}

test('the same key in hexadecimal and in base64 is one key', () => {
  const bytes = randomBytes(32)
  const sealed = openSeal([bytes.toString('hex')]).seal('webhook', SECRET)
  assert.equal(openSeal([bytes.toString('base64')]).open('webhook', sealed), SECRET)
})

test('the same secret is never encrypted the same way twice', () => {
  const seal = openSeal([NEW])
  assert.notEqual(seal.seal('webhook', SECRET), seal.seal('webhook', SECRET))
})

test('a sealed secret changed in any place does not open', () => {
  const seal = openSeal([NEW, OLD])
  const sealed = seal.seal('webhook', SECRET)
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    fails(() => seal.open('webhook', sealed.slice(0, at) + other + sealed.slice(at + 1)))
  }
  for (const text of [
    '',
    'v1',
    sealed.slice(0, -1),
    `${sealed}A`,
    `${sealed}\n`,
    sealed.replace('v1', 'v2'),
  ]) {
    fails(() => seal.open('webhook', text))
  }
})

test('the last character of a sealed secret has one spelling only', () => {
  const seal = openSeal([NEW])
  const sealed = seal.seal('webhook', 'one')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const opening = [...alphabet].filter((last) => {
    try {
      return seal.open('webhook', sealed.slice(0, -1) + last) === 'one'
    } catch {
      return false
    }
  })
  assert.deepEqual(opening, [sealed.at(-1)])
})

test('a secret sealed for one purpose does not open for another', () => {
  const seal = openSeal([NEW])
  const sealed = seal.seal('webhook:7', SECRET)
  fails(() => seal.open('webhook:8', sealed))
  fails(() => seal.open('', sealed))
})

test('a secret does not open without its key', () => {
  const sealed = openSeal([OLD]).seal('webhook', SECRET)
  fails(() => openSeal([NEW]).open('webhook', sealed))
  const [, id] = openSeal([NEW]).seal('webhook', SECRET).split('.')
  fails(() => openSeal([NEW]).open('webhook', sealed.replace(/\.[0-9a-f]{8}\./, `.${id}.`)))
})

test('a key is rotated by adding the new one first, resealing, and removing the old one', () => {
  const before = openSeal([OLD])
  const during = openSeal([NEW, OLD])
  const after = openSeal([NEW])
  const old = before.seal('webhook', SECRET)
  assert.equal(before.needsRotation(old), false)
  assert.equal(during.needsRotation(old), true)

  const renewed = during.seal('webhook', during.open('webhook', old))
  assert.equal(during.needsRotation(renewed), false)
  assert.equal(after.open('webhook', renewed), SECRET)
  fails(() => after.open('webhook', old))
})

test('keys are required, must be long enough, and must be distinct', () => {
  for (const keys of [[], [''], ['x'.repeat(31)], [OLD, 'short'], [OLD, OLD]]) {
    assert.throws(() => openSeal(keys), /encryption key/)
  }
  assert.doesNotThrow(() => openSeal(['x'.repeat(32)]))
})

function fails(work: () => unknown): void {
  assert.throws(work, (error: unknown) => {
    assert(error instanceof Error)
    assert.doesNotMatch(`${error.message} ${error.stack} ${JSON.stringify(error)}`, /hunter2/)
    return true
  })
}
