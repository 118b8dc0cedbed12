/** Signatures of `ssh-keygen -Y sign`: parse, verify and create. */
import { createHash, createPublicKey, type KeyObject, sign, verify, type webcrypto } from 'node:crypto'
import { Fields, fingerprintOf, joinFields, type SshKey } from './ssh-key.ts'

export interface SshSignature {
  /** The fingerprint of the key in the signature. */
  readonly fingerprint: string
  readonly key: Buffer
  readonly namespace: string
  readonly reserved: Buffer
  readonly hash: string
  readonly type: string
  readonly bytes: Buffer
  /** For a security key: flags (user presence) and signature counter. */
  readonly counter: Buffer
}

const ARMOR = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)\r?\n-----END SSH SIGNATURE-----\s*$/
const ARMOR_BYTES_MAX = 16 * 1024
const MAGIC = Buffer.from('SSHSIG')
const VERSION = 1
const COUNTER_BYTES = 5
const HASH = 'sha512'
const ARMOR_COLUMNS = 70
const TOUCHED = 1

/** undefined when the text is not such a signature. */
export function parseSshSignature(armored: string): SshSignature | undefined {
  const base64 = armored.length > ARMOR_BYTES_MAX ? undefined : ARMOR.exec(armored)?.[1]
  const data = Buffer.from(base64 ?? '', 'base64')
  const start = MAGIC.length + 4
  if (data.length < start || !data.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  if (data.readUInt32BE(MAGIC.length) !== VERSION) return undefined
  try {
    return readFields(new Fields(data.subarray(start)))
  } catch {
    return undefined
  }
}

function readFields(fields: Fields): SshSignature {
  const key = fields.next()
  const namespace = fields.next().toString('latin1')
  const reserved = fields.next()
  const hash = fields.next().toString('latin1')
  const signature = new Fields(fields.next())
  fields.end()
  const type = signature.next().toString('latin1')
  const bytes = signature.next()
  const fingerprint = fingerprintOf(key)
  return { fingerprint, key, namespace, reserved, hash, type, bytes, counter: signature.rest }
}

/** Whether the key in the signature made it over this message in this namespace. */
export function verifySshSignature(signature: SshSignature, message: Uint8Array, namespace: string): boolean {
  if (signature.namespace !== namespace || !['sha256', 'sha512'].includes(signature.hash)) return false
  const signed = signedData(message, [Buffer.from(namespace), signature.reserved], signature.hash)
  try {
    const fields = new Fields(signature.key)
    const check = CHECKS.get(fields.next().toString('latin1'))
    return check?.(fields, signature, signed) ?? false
  } catch {
    return false
  }
}

/** Signs a message with an Ed25519 key in a namespace. */
export function signForSsh(
  { type, blob }: SshKey,
  privateKey: KeyObject,
  message: Uint8Array,
  namespace: string,
): string {
  const use = [Buffer.from(namespace), Buffer.alloc(0)]
  const bytes = sign(null, signedData(message, use, HASH), privateKey)
  const signature = joinFields([Buffer.from(type), bytes])
  const version = Buffer.alloc(4)
  version.writeUInt32BE(VERSION)
  const fields = joinFields([blob, ...use, Buffer.from(HASH), signature])
  const base64 = Buffer.concat([MAGIC, version, fields]).toString('base64')
  const lines = base64.match(new RegExp(`.{1,${ARMOR_COLUMNS}}`, 'g')) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n')
}

/** The signed data: namespace and reserved field, hash name, and digest of the message. */
function signedData(message: Uint8Array, use: readonly Buffer[], hash: string): Buffer {
  const digest = createHash(hash).update(message).digest()
  return Buffer.concat([MAGIC, joinFields([...use, Buffer.from(hash), digest])])
}

type Check = (fields: Fields, signature: SshSignature, signed: Buffer) => boolean

/** By key type. SHA-1 signatures are not accepted. */
const CHECKS = new Map<string, Check>([
  ['ssh-ed25519', checkEd25519],
  ['ssh-rsa', checkRsa],
  ['ecdsa-sha2-nistp256', (fields, signature, signed) => checkEcdsa(fields, signature, signed, 256)],
  ['ecdsa-sha2-nistp384', (fields, signature, signed) => checkEcdsa(fields, signature, signed, 384)],
  ['ecdsa-sha2-nistp521', (fields, signature, signed) => checkEcdsa(fields, signature, signed, 521)],
  ['sk-ssh-ed25519@openssh.com', checkTokenEd25519],
  ['sk-ecdsa-sha2-nistp256@openssh.com', checkTokenEcdsa],
])

function checkEd25519(fields: Fields, { type, bytes }: SshSignature, signed: Buffer): boolean {
  return type === 'ssh-ed25519' && verify(null, signed, ed25519Key(fields.next()), bytes)
}

function checkRsa(fields: Fields, { type, bytes }: SshSignature, signed: Buffer): boolean {
  const hash = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }[type]
  const e = fields.nextNumber().toString('base64url')
  const n = fields.nextNumber().toString('base64url')
  return hash !== undefined && verify(hash, signed, keyOf({ kty: 'RSA', n, e }), bytes)
}

const ECDSA_HASHES = { 256: 'sha256', 384: 'sha384', 521: 'sha512' } as const

function checkEcdsa(
  fields: Fields,
  { type, bytes }: SshSignature,
  signed: Buffer,
  bits: keyof typeof ECDSA_HASHES,
): boolean {
  if (type !== `ecdsa-sha2-nistp${bits}`) return false
  return verifyEcdsa(ECDSA_HASHES[bits], signed, ecdsaKey(fields, bits), plainNumbers(bytes, bits))
}

function checkTokenEd25519(fields: Fields, signature: SshSignature, signed: Buffer): boolean {
  if (signature.type !== 'sk-ssh-ed25519@openssh.com') return false
  const key = ed25519Key(fields.next())
  const data = tokenData(fields.next(), signature.counter, signed)
  return data !== undefined && verify(null, data, key, signature.bytes)
}

function checkTokenEcdsa(fields: Fields, signature: SshSignature, signed: Buffer): boolean {
  if (signature.type !== 'sk-ecdsa-sha2-nistp256@openssh.com') return false
  const key = ecdsaKey(fields, 256)
  const data = tokenData(fields.next(), signature.counter, signed)
  return data !== undefined && verifyEcdsa('sha256', data, key, plainNumbers(signature.bytes, 256))
}

/** A security key signs digests together with its flags and counter. */
function tokenData(application: Buffer, counter: Buffer, signed: Buffer): Buffer | undefined {
  const digestOf = (data: Buffer) => createHash('sha256').update(data).digest()
  const isTouched = counter.length === COUNTER_BYTES && ((counter[0] ?? 0) & TOUCHED) === TOUCHED
  return isTouched ? Buffer.concat([digestOf(application), counter, digestOf(signed)]) : undefined
}

function ed25519Key(bytes: Buffer): KeyObject {
  return keyOf({ kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') })
}

function ecdsaKey(fields: Fields, bits: number): KeyObject {
  fields.next()
  const point = fields.next().subarray(1)
  const [x, y] = [point.subarray(0, point.length / 2), point.subarray(point.length / 2)]
  return keyOf({
    kty: 'EC',
    crv: `P-${bits}`,
    x: x.toString('base64url'),
    y: y.toString('base64url'),
  })
}

function verifyEcdsa(hash: string, data: Buffer, key: KeyObject, numbers: Buffer): boolean {
  return verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, numbers)
}

/** Converts two length-prefixed numbers to two numbers of fixed width. */
function plainNumbers(bytes: Buffer, bits: number): Buffer {
  const size = Math.ceil(bits / 8)
  const fields = new Fields(bytes)
  const numbers = [fields.nextNumber(), fields.nextNumber()].map((number) =>
    Buffer.concat([Buffer.alloc(Math.max(0, size - number.length)), number]),
  )
  return Buffer.concat(numbers)
}

function keyOf(jwk: webcrypto.JsonWebKey): KeyObject {
  return createPublicKey({ key: jwk, format: 'jwk' })
}
