/** Secrets at rest: encrypted with a key from the configuration, bound to their purpose, ready for key rotation. */
import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export interface Seal {
  /** A sealed text opens only with the same purpose, so it cannot be moved to another column or use. */
  seal(purpose: string, plain: string): string
  open(purpose: string, sealed: string): string
  /** True when another key than the first sealed it; reseal before that key is removed. */
  needsRotation(sealed: string): boolean
  /** Ids of the keys, in their order. A sealed text names the id of its key. */
  readonly keyIds: readonly string[]
}

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PASSPHRASE_LENGTH_MIN = 32
/** Changing it makes every sealed secret unreadable. */
const KEY_LABEL = 'bloomery seal v1'
const FORM = /^v1\.([0-9a-f]{8})\.([\w-]{16})\.([\w-]{22,})$/
const HEX_KEY = /^[0-9a-f]{64}$/i
const BASE64_KEY = /^[A-Za-z0-9+/_-]{43}=?$/

/** The first key seals; every key opens. */
export function openSeal(texts: readonly string[]): Seal {
  const keys = new Map<string, Key>()
  for (const text of texts) {
    const key = deriveKey(text)
    if (keys.has(key.id)) throw new Error('duplicate encryption key')
    keys.set(key.id, key)
  }
  const [first] = keys.values()
  if (first === undefined) throw new Error('at least one encryption key is required')

  return {
    seal: (purpose, plain) => sealWith(first, purpose, plain),
    open(purpose, sealed) {
      const { keyId, nonce, box } = parse(sealed)
      const key = keys.get(keyId)
      if (key === undefined) throw new Error('secret is encrypted with an unknown key')
      return openWith(key, purpose, nonce, box)
    },
    needsRotation: (sealed) => parse(sealed).keyId !== first.id,
    keyIds: [...keys.keys()],
  }
}

const DISTINCT_MIN = 10

/** Why no key may encrypt with this text, with the remedy; undefined when it may. A key that only decrypts may be weak. */
export function keysRefusal(texts: readonly string[]): string | undefined {
  const remedy = 'make one with `openssl rand -hex 32` and keep it safe'
  const [first] = texts
  if (first === undefined) return `secrets.keys: is not set; ${remedy}`
  const short = texts.findIndex((text) => text.length < PASSPHRASE_LENGTH_MIN)
  if (short >= 0)
    return `secrets.keys: key ${short + 1} has less than ${PASSPHRASE_LENGTH_MIN} characters; ${remedy}`
  if (new Set(texts).size < texts.length) return 'secrets.keys: a key is listed twice; remove one of them'
  if (!looksRandom(first)) return `secrets.keys: key 1 is not random; ${remedy}`
  return undefined
}

/** Recognizes only placeholders: few distinct characters, or a short text repeated. Of 10^12 random keys one would fail. */
function looksRandom(text: string): boolean {
  return new Set(text).size >= DISTINCT_MIN && !/^(.{1,32}?)\1+$/.test(text)
}

function deriveKey(text: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', keyMaterial(text), '', KEY_LABEL, KEY_BYTES))
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

function keyMaterial(text: string): Buffer {
  if (HEX_KEY.test(text)) return Buffer.from(text, 'hex')
  if (BASE64_KEY.test(text)) return Buffer.from(text, 'base64')
  if (text.length < PASSPHRASE_LENGTH_MIN) throw new Error('encryption key is too short')
  return Buffer.from(text, 'utf8')
}

function sealWith(key: Key, purpose: string, plain: string): string {
  assert(purpose !== '', 'a secret has a purpose')
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(purpose, 'utf8'))
  const box = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `v1.${key.id}.${nonce.toString('base64url')}.${box.toString('base64url')}`
}

function openWith(key: Key, purpose: string, nonce: Buffer, box: Buffer): string {
  const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose, 'utf8'))
  decipher.setAuthTag(box.subarray(-TAG_BYTES))
  const plain = decipher.update(box.subarray(0, -TAG_BYTES))
  try {
    return Buffer.concat([plain, decipher.final()]).toString('utf8')
  } catch {
    // The text before `final` is not authenticated yet, and the error must not contain it.
    throw new Error('secret cannot be decrypted')
  }
}

function parse(sealed: string): { keyId: string; nonce: Buffer; box: Buffer } {
  const [, keyId = '', nonceText = '', boxText = ''] = FORM.exec(sealed) ?? []
  const nonce = Buffer.from(nonceText, 'base64url')
  const box = Buffer.from(boxText, 'base64url')
  // Base64 has spare bits at its end; only the spelling that `seal` writes is accepted.
  if (keyId === '' || box.toString('base64url') !== boxText) throw new Error('malformed encrypted secret')
  return { keyId, nonce, box }
}
