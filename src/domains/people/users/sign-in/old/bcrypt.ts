/** bcrypt, for password hashes that were moved in: no new ones are made. Runs in a thread, because it is slow on purpose. */
import { timingSafeEqual } from 'node:crypto'
import { fractionOfPi } from './pi.ts'

const HASH = /^\$2[aby]\$(\d\d)\$([./A-Za-z\d]{22})([./A-Za-z\d]{31})$/
const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const TEXT = 'OrpheanBeholderScryDoubt'
const TEXT_ROUNDS = 64
const KEY_WORDS = 18
const BOX = 256
const BOXES = 4
const DIGEST_BYTES = 23
/** Each step doubles the time; 12 takes seconds. */
const COST_MAX = 12

/** The state of Blowfish: subkeys, then four boxes. */
type State = Int32Array

/** The digits of pi with which every state begins. */
let initial: State | undefined

export function isBcrypt(hash: string): boolean {
  const [, cost] = HASH.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= COST_MAX
}

export function verifyBcrypt(hash: string, password: string): boolean {
  const [, cost = '', salt = '', digest = ''] = HASH.exec(hash) ?? []
  if (!isBcrypt(hash)) return false
  const made = bcrypt(Number(cost), decode(salt, 16), Buffer.from(`${password}\0`))
  return timingSafeEqual(made, decode(digest, DIGEST_BYTES))
}

function bcrypt(cost: number, salt: Buffer, key: Buffer): Buffer {
  initial ??= fractionOfPi(KEY_WORDS + BOXES * BOX)
  const state = initial.slice()
  const keyWords = wordsOf(key, KEY_WORDS)
  const saltWords = wordsOf(salt, KEY_WORDS)
  expand(state, keyWords, wordsOf(salt, 4))
  for (let round = 2 ** cost; round > 0; round--) {
    expand(state, keyWords)
    expand(state, saltWords)
  }
  const text = wordsOf(Buffer.from(TEXT), TEXT.length / 4)
  for (let block = 0; block < text.length; block += 2)
    for (let round = 0; round < TEXT_ROUNDS; round++) encipher(state, text, block)
  const bytes = Buffer.alloc(TEXT.length)
  for (const [i, word] of text.entries()) bytes.writeInt32BE(word, i * 4)
  return bytes.subarray(0, DIGEST_BYTES)
}

/** Mixes a key into the state; `salt` has four words, and is zero when absent. */
function expand(state: State, key: Int32Array, salt?: Int32Array): void {
  for (let i = 0; i < KEY_WORDS; i++) state[i] = (state[i] ?? 0) ^ (key[i] ?? 0)
  const block = new Int32Array(2)
  for (let i = 0; i < state.length; i += 2) {
    if (salt !== undefined) {
      block[0] = (block[0] ?? 0) ^ (salt[i % 4] ?? 0)
      block[1] = (block[1] ?? 0) ^ (salt[(i + 1) % 4] ?? 0)
    }
    encipher(state, block, 0)
    state[i] = block[0] ?? 0
    state[i + 1] = block[1] ?? 0
  }
}

/** One block of two words, in place. */
function encipher(state: State, words: Int32Array, at: number): void {
  const box = (i: number) => state[KEY_WORDS + i] as number
  let left = (words[at] as number) ^ (state[0] as number)
  let right = words[at + 1] as number
  for (let round = 1; round <= 16; round++) {
    const mixed =
      ((((box(left >>> 24) + box(BOX + ((left >>> 16) & 255))) | 0) ^ box(2 * BOX + ((left >>> 8) & 255))) +
        box(3 * BOX + (left & 255))) |
      0
    const next = right ^ mixed ^ (state[round] as number)
    right = left
    left = next
  }
  words[at] = right ^ (state[17] as number)
  words[at + 1] = left
}

/** Repeats the bytes as often as needed. */
function wordsOf(bytes: Buffer, count: number): Int32Array {
  const words = new Int32Array(count)
  for (let i = 0; i < count * 4; i++)
    words[i >> 2] = ((words[i >> 2] ?? 0) << 8) | (bytes[i % bytes.length] ?? 0)
  return words
}

/** Base64 with another alphabet and without padding. */
function decode(text: string, bytes: number): Buffer {
  let bits = 0n
  for (const letter of text) bits = (bits << 6n) | BigInt(ALPHABET.indexOf(letter))
  const surplus = BigInt(text.length * 6 - bytes * 8)
  return Buffer.from((bits >> surplus).toString(16).padStart(bytes * 2, '0'), 'hex')
}
