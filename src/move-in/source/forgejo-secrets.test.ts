/** The cipher of Forgejo's secrets opens the example of its draft standard (draft-irtf-cfrg-xchacha-03, A.3.1). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openXChaCha } from './forgejo-secrets.ts'

const KEY = Buffer.from(Array.from({ length: 32 }, (_, i) => 0x80 + i))
const NONCE = Buffer.from(Array.from({ length: 24 }, (_, i) => 0x40 + i))
const ADDITIONAL = Buffer.from('50515253c0c1c2c3c4c5c6c7', 'hex')
const ENCRYPTED = Buffer.from(
  'bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96' +
    'b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52e' +
    'c0875924c1c7987947deafd8780acf49',
  'hex',
)
const PLAIN =
  "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."

test('the example of the standard is opened', () => {
  assert.equal(openXChaCha(KEY, Buffer.concat([NONCE, ENCRYPTED]), ADDITIONAL).toString(), PLAIN)
})

test('other additional data, and a text that is too short, are refused', () => {
  assert.throws(() => openXChaCha(KEY, Buffer.concat([NONCE, ENCRYPTED]), Buffer.from('other')))
  assert.throws(() => openXChaCha(KEY, NONCE, ADDITIONAL), /too short/)
})
