/**
 * Decrypts what Forgejo encrypts with its SECRET_KEY: XChaCha20-Poly1305 with a key for each purpose, and the column and
 * the id of the row as additional data. OpenSSL has the cipher with short nonces only, so its key is derived here.
 */
import { createDecipheriv, hkdfSync } from 'node:crypto'

export interface Place {
  readonly purpose: string
  readonly column: string
  readonly id: number
}

const KEY_BYTES = 32
/** Of the nonce: this much goes into the key, the rest to the cipher. */
const KEYING_BYTES = 16
const NONCE_BYTES = 24
const TAG_BYTES = 16
const DOUBLE_ROUNDS = 10
const CONSTANTS = Buffer.from('expand 32-byte k')
/** Words of the state that are mixed together: columns, then diagonals. */
const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

/** Throws when the key is another one. */
export function decryptForgejoSecret(
  secretKey: string,
  { purpose, column, id }: Place,
  bytes: Uint8Array,
): string {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', purpose, KEY_BYTES))
  const row = Buffer.alloc(8)
  row.writeBigUInt64BE(BigInt(id))
  return openXChaCha(key, Buffer.from(bytes), Buffer.concat([Buffer.from(`${column}:`), row])).toString(
    'utf8',
  )
}

/** `bytes` begin with the nonce and end with the tag. */
export function openXChaCha(key: Buffer, bytes: Buffer, additional: Buffer): Buffer {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) throw new Error('the encrypted text is too short')
  const subkey = deriveSubkey(key, bytes.subarray(0, KEYING_BYTES))
  const nonce = Buffer.concat([Buffer.alloc(4), bytes.subarray(KEYING_BYTES, NONCE_BYTES)])
  const decipher = createDecipheriv('chacha20-poly1305', subkey, nonce, { authTagLength: TAG_BYTES })
  const encrypted = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
  decipher.setAAD(additional, { plaintextLength: encrypted.length })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(encrypted), decipher.final()])
}

/** HChaCha20. */
export function deriveSubkey(key: Buffer, nonce: Buffer): Buffer {
  const start = Buffer.concat([CONSTANTS, key, nonce])
  const state = Uint32Array.from({ length: 16 }, (_, i) => start.readUInt32LE(i * 4))
  for (let round = 0; round < DOUBLE_ROUNDS; round++)
    for (const [a, b, c, d] of QUARTERS) {
      mix(state, [a, b, d], 16)
      mix(state, [c, d, b], 12)
      mix(state, [a, b, d], 8)
      mix(state, [c, d, b], 7)
    }
  const subkey = Buffer.alloc(KEY_BYTES)
  for (const [i, word] of [...state.subarray(0, 4), ...state.subarray(12)].entries())
    subkey.writeUInt32LE(word, i * 4)
  return subkey
}

/** Adds `from` to `sum`, and turns `turned` after it was changed by the sum. */
function mix(state: Uint32Array, [sum, from, turned]: readonly [number, number, number], bits: number): void {
  const total = ((state[sum] ?? 0) + (state[from] ?? 0)) >>> 0
  state[sum] = total
  const changed = (state[turned] ?? 0) ^ total
  state[turned] = (changed << bits) | (changed >>> (32 - bits))
}
