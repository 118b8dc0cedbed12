/** Public SSH keys: strict parsing of pasted forms into the one line that is stored. */
import { createHash, createPublicKey, type webcrypto } from 'node:crypto'
import { Problem } from '#platform/problem'

export interface SshKey {
  readonly type: string
  readonly bits: number
  /** `SHA256:` and the digest of the blob, as `ssh-keygen -l` prints it. */
  readonly fingerprint: string
  /** Type, base64 and comment on one line. */
  readonly key: string
  readonly blob: Buffer
  readonly comment: string
}

export const SSH_KEY_TEXT_BYTES_MAX = 9_728
export const RSA_BITS_MIN = 3_071
/** OpenSSH does not support longer ones. */
const RSA_BITS_MAX = 16_384
const RSA_EXPONENT_BITS_MAX = 24
const ED25519_BYTES = 32

export function parseSshKey(text: string): SshKey {
  if (Buffer.byteLength(text) > SSH_KEY_TEXT_BYTES_MAX) throw refused('key is too long')
  if (!text.isWellFormed()) throw refused('key is not valid Unicode')
  const { claimedType, blob, comment } = readText(text.trim())
  const { type, bits } = readBlob(blob)
  if (claimedType !== undefined && claimedType !== type) throw refused('key type and content do not match')
  return {
    type,
    bits,
    fingerprint: fingerprintOf(blob),
    key: `${type} ${blob.toString('base64')} ${comment}`.trimEnd(),
    blob,
    comment: comment.trim(),
  }
}

export function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

/** A parsed text, before its blob is checked. */
interface KeyText {
  readonly claimedType?: string
  readonly blob: Buffer
  /** Compat: spaces before the comment and inside it are kept. */
  readonly comment: string
}

const SSH2_BEGIN = '---- BEGIN SSH2 PUBLIC KEY ----'
const SSH2_END = '---- END SSH2 PUBLIC KEY ----'
const PEM = /^-----BEGIN ((?:RSA )?PUBLIC KEY)-----\n[A-Za-z0-9+/=\n]+\n-----END \1-----$/
const PRIVATE = /BEGIN [A-Z0-9 ]*PRIVATE KEY|^PuTTY-User-Key-File/
const CONTROL_CHARACTER = /[\p{Cc}--\t]/v

function readText(text: string): KeyText {
  const unix = text.replace(/\r\n?/g, '\n')
  if (PRIVATE.test(unix)) throw refused('the provided key is a private key')
  if (unix.startsWith(SSH2_BEGIN)) return { blob: blobOfSsh2(unix), comment: '' }
  if (unix.includes('-----BEGIN')) return { blob: blobOfPem(unix), comment: '' }
  return readLine(unix)
}

/**
 * Compat: the type may be omitted if nothing follows the base64, which may contain line breaks. A line break elsewhere,
 * as between two keys, is refused.
 */
function readLine(text: string): KeyText {
  const [first = '', second, ...rest] = text.split(' ')
  if (second === undefined) return { blob: decodeBase64(first), comment: '' }
  const comment = rest.join(' ')
  if (CONTROL_CHARACTER.test(comment)) throw refused('key comment is not a single line of text')
  return { claimedType: first, blob: decodeBase64(second), comment }
}

/** An RFC 4716 block. Compat: its headers, including the comment, are dropped. */
function blobOfSsh2(text: string): Buffer {
  const lines = text.split('\n').map((line) => line.trim())
  if (lines.length < 3 || lines[0] !== SSH2_BEGIN || lines.at(-1) !== SSH2_END) {
    throw refused('malformed SSH2 public key block')
  }
  const body = lines.slice(1, -1)
  let isHeader = body[0]?.includes(':') === true
  while (isHeader) {
    // A trailing backslash continues a header on the next line.
    const isContinued = body.shift()?.endsWith('\\') === true
    isHeader = isContinued || body[0]?.includes(':') === true
  }
  return decodeBase64(body.join('\n'))
}

function blobOfPem(text: string): Buffer {
  if (!PEM.test(text)) throw refused('not a single PEM public key')
  const jwk = jwkOfPem(text)
  switch (jwk.crv ?? jwk.kty) {
    case 'RSA':
      return blobOf('ssh-rsa', signed(bytesOf(jwk.e)), signed(bytesOf(jwk.n)))
    case 'Ed25519':
      return blobOf('ssh-ed25519', bytesOf(jwk.x))
    case 'P-256':
    case 'P-384':
    case 'P-521': {
      const curve = `nistp${jwk.crv?.slice(2)}`
      const point = Buffer.concat([Buffer.of(UNCOMPRESSED), bytesOf(jwk.x), bytesOf(jwk.y)])
      return blobOf(`ecdsa-sha2-${curve}`, Buffer.from(curve), point)
    }
    default:
      throw refused('key type is not allowed')
  }
}

function jwkOfPem(text: string): webcrypto.JsonWebKey {
  try {
    return createPublicKey(text).export({ format: 'jwk' })
  } catch {
    throw refused('PEM public key cannot be parsed')
  }
}

function bytesOf(base64url: string | undefined): Buffer {
  return Buffer.from(base64url ?? '', 'base64url')
}

/** Prepends a zero byte to a number whose first bit is set, which would otherwise be negative. */
function signed(number: Buffer): Buffer {
  return (number[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), number]) : number
}

function blobOf(type: string, ...fields: Buffer[]): Buffer {
  return joinFields([Buffer.from(type), ...fields])
}

/** Each field is prefixed with its length. */
export function joinFields(fields: readonly Buffer[]): Buffer {
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(field.length)
    return [length, field]
  })
  return Buffer.concat(parts)
}

/** Invariant: a blob has one encoding, so that equal keys have equal text. */
function decodeBase64(text: string): Buffer {
  const joined = text.replaceAll('\n', '')
  const bytes = Buffer.from(joined, 'base64')
  if (bytes.toString('base64') !== joined) throw refused('key is not valid base64')
  return bytes
}

/** Reads the length-prefixed fields of a blob. */
export class Fields {
  #rest: Buffer

  constructor(blob: Buffer) {
    this.#rest = blob
  }

  next(): Buffer {
    const end = this.#rest.length < 4 ? Number.POSITIVE_INFINITY : 4 + this.#rest.readUInt32BE()
    if (this.#rest.length < end) throw refused('key is truncated')
    const field = this.#rest.subarray(4, end)
    this.#rest = this.#rest.subarray(end)
    return field
  }

  /** A positive number in its canonical encoding: no sign bit, no redundant leading zero. */
  nextNumber(): Buffer {
    const field = this.next()
    const [first = 0, second = 0] = field
    if (first >= 0x80 || (first === 0 && second < 0x80)) throw refused('malformed integer in key')
    return first === 0 ? field.subarray(1) : field
  }

  /** The unread bytes. */
  get rest(): Buffer {
    return this.#rest
  }

  end(): void {
    if (this.#rest.length > 0) throw refused('key has trailing data')
  }
}

/** The allowed key types, each with a function that reads the remaining fields and returns the bits. */
const KINDS = new Map<string, (fields: Fields) => number>([
  ['ssh-ed25519', readEd25519],
  ['sk-ssh-ed25519@openssh.com', (fields) => readApplication(fields, readEd25519(fields))],
  ['ecdsa-sha2-nistp256', (fields) => readEcdsa(fields, 256)],
  ['ecdsa-sha2-nistp384', (fields) => readEcdsa(fields, 384)],
  ['ecdsa-sha2-nistp521', (fields) => readEcdsa(fields, 521)],
  ['sk-ecdsa-sha2-nistp256@openssh.com', (fields) => readApplication(fields, readEcdsa(fields, 256))],
  ['ssh-rsa', readRsa],
])

function readBlob(blob: Buffer): { type: string; bits: number } {
  const fields = new Fields(blob)
  const type = fields.next().toString('latin1')
  const readBits = KINDS.get(type)
  if (readBits === undefined) throw refused('key type is not allowed')
  const bits = readBits(fields)
  fields.end()
  return { type, bits }
}

/** Compat: does not check that the bytes are a point of the curve. */
function readEd25519(fields: Fields): number {
  if (fields.next().length !== ED25519_BYTES) throw refused('invalid key length')
  return 256
}

const UNCOMPRESSED = 4

function readEcdsa(fields: Fields, bits: 256 | 384 | 521): number {
  if (fields.next().toString('latin1') !== `nistp${bits}`) throw refused('key type and curve do not match')
  const point = fields.next()
  const size = Math.ceil(bits / 8)
  if (point.length !== 1 + 2 * size || point[0] !== UNCOMPRESSED) throw refused('invalid key length')
  const x = point.toString('base64url', 1, 1 + size)
  const y = point.toString('base64url', 1 + size)
  try {
    createPublicKey({ key: { kty: 'EC', crv: `P-${bits}`, x, y }, format: 'jwk' })
  } catch {
    throw refused('key is not a point on its curve')
  }
  return bits
}

/** The application string of a security key (`sk-…`). */
function readApplication(fields: Fields, bits: number): number {
  if (fields.next().includes(0)) throw refused('malformed application in key')
  return bits
}

function readRsa(fields: Fields): number {
  const exponent = fields.nextNumber()
  const modulus = fields.nextNumber()
  const isThreeOrMore = bitLength(exponent) >= 2
  if (!isOdd(exponent) || !isThreeOrMore || bitLength(exponent) > RSA_EXPONENT_BITS_MAX) {
    throw refused('invalid key exponent')
  }
  const bits = bitLength(modulus)
  if (bits < RSA_BITS_MIN) throw refused(`key length is not enough: needs ${RSA_BITS_MIN}`, { bits })
  if (!isOdd(modulus) || bits > RSA_BITS_MAX) throw refused('invalid key modulus')
  return bits
}

function isOdd(number: Buffer): boolean {
  return (number.at(-1) ?? 0) % 2 === 1
}

function bitLength(number: Buffer): number {
  return number.length * 8 - (Math.clz32(number[0] ?? 0) - 24)
}

function refused(reason: string, details: Record<string, unknown> = {}): Problem {
  return new Problem('invalid', `invalid key content: ${reason}`, details)
}
