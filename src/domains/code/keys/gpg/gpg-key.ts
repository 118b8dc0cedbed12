/** OpenPGP public keys: parsing armored blocks, and verifying signatures. */
import type * as OpenPgp from 'openpgp'
import { Problem } from '#platform/problem'

export interface GpgSubkey {
  /** Sixteen hexadecimal digits, upper case. */
  readonly key_id: string
  /** The id of a subkey's primary key; empty for a primary key. */
  readonly primary_key_id: string
  /** The key packet alone, in base64. */
  readonly public_key: string
  readonly can_sign: boolean
  readonly can_encrypt_comms: boolean
  readonly can_encrypt_storage: boolean
  readonly can_certify: boolean
  readonly created_at: Date
  readonly expires_at: Date | null
}

export interface GpgKey extends GpgSubkey {
  /** Addresses that the key has signed, lower case. They are not checked against accounts here. */
  readonly emails: readonly string[]
  readonly subkeys: readonly GpgSubkey[]
  /** The key with its signatures as one armored block, for `verifyDetached`. */
  readonly armored: string
}

export const GPG_KEY_TEXT_BYTES_MAX = 128 * 1024
export const GPG_SIGNATURE_TEXT_BYTES_MAX = 16 * 1024
export const GPG_KEYS_MAX = 16
/** Bounded because verifying one self-signature takes about a millisecond. */
export const GPG_SELF_SIGNATURES_MAX = 256

const BEGIN_PUBLIC = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const BEGIN_PRIVATE = '-----BEGIN PGP PRIVATE KEY BLOCK-----'

/**
 * The library accepts null for "at any time", though its types do not say so. Expiry dates are stored and checked later;
 * a proof is as fresh as its signed text.
 */
const TIMELESS = null as unknown as Date

/** Compat: the reference derives capabilities from the algorithm, not from the key flags. */
const SIGNING: ReadonlySet<string> = new Set<OpenPgp.AlgorithmInfo['algorithm']>([
  'rsaEncryptSign',
  'rsaSign',
  'dsa',
  'ecdsa',
  'eddsaLegacy',
  'ed25519',
  'ed448',
])
const ENCRYPTING: ReadonlySet<string> = new Set<OpenPgp.AlgorithmInfo['algorithm']>([
  'rsaEncryptSign',
  'rsaEncrypt',
  'elgamal',
  'ecdh',
  'x25519',
  'x448',
])

export async function parseGpgKeys(armored: string): Promise<GpgKey[]> {
  if (Buffer.byteLength(armored) > GPG_KEY_TEXT_BYTES_MAX) throw refused('key is too long')
  if (armored.includes(BEGIN_PRIVATE)) throw refused('the provided key is a private key')
  // The library would silently ignore all blocks but the first.
  if (armored.split(BEGIN_PUBLIC).length !== 2) throw refused('not a single public key block')
  const openpgp = await loadOpenPgp()
  const keys = await openpgp.readKeys({ armoredKeys: armored }).catch(() => {
    throw refused('key cannot be parsed')
  })
  if (keys.length > GPG_KEYS_MAX) throw refused('too many keys')
  const described: GpgKey[] = []
  for (const key of keys) described.push(await describeKey(openpgp, key))
  return described
}

/** Whether the key, or one of its signing subkeys, made this detached signature of the message. */
export async function verifyDetached(
  armoredKey: string,
  message: string | Uint8Array,
  armoredSignature: string,
): Promise<boolean> {
  if (Buffer.byteLength(armoredKey) > GPG_KEY_TEXT_BYTES_MAX) return false
  if (Buffer.byteLength(armoredSignature) > GPG_SIGNATURE_TEXT_BYTES_MAX) return false
  const openpgp = await loadOpenPgp()
  try {
    const { signatures } = await openpgp.verify({
      message: await openpgp.createMessage({ binary: Buffer.from(message) }),
      signature: await openpgp.readSignature({ armoredSignature }),
      verificationKeys: await openpgp.readKey({ armoredKey }),
      date: TIMELESS,
      format: 'binary',
    })
    return await Promise.any(signatures.map(({ verified }) => verified))
  } catch {
    return false
  }
}

/** The key id that a detached signature claims; undefined when the text is not a signature. */
export async function issuerOf(armoredSignature: string): Promise<string | undefined> {
  if (Buffer.byteLength(armoredSignature) > GPG_SIGNATURE_TEXT_BYTES_MAX) return undefined
  const openpgp = await loadOpenPgp()
  try {
    const signature = await openpgp.readSignature({ armoredSignature })
    return signature.packets[0]?.issuerKeyID.toHex().toUpperCase()
  } catch {
    return undefined
  }
}

/** Loaded on demand: the library is large, and few requests need it. */
function loadOpenPgp(): Promise<typeof OpenPgp> {
  return import('openpgp')
}

async function describeKey(openpgp: typeof OpenPgp, key: OpenPgp.Key): Promise<GpgKey> {
  if (key.isPrivate()) throw refused('the provided key is a private key')
  if (countSelfSignatures(openpgp, key) > GPG_SELF_SIGNATURES_MAX) {
    throw refused('key has too many signatures')
  }
  if (await isRevoked(key)) throw refused('key is revoked')
  const expiry = await key.getExpirationTime()
  if (expiry === null) throw refused('key has no valid user ID')
  const part = describePart(openpgp, key, '', expiry)
  return {
    ...part,
    emails: await emailsOf(key),
    subkeys: await describeSubkeys(openpgp, key, part),
    armored: key.armor(),
  }
}

function countSelfSignatures(openpgp: typeof OpenPgp, key: OpenPgp.Key): number {
  const isOwn = (packet: unknown) =>
    packet instanceof openpgp.SignaturePacket && packet.issuerKeyID.equals(key.getKeyID())
  return key.toPacketList().filter(isOwn).length
}

/** A revocation that cannot be verified counts as a revocation. */
function isRevoked(key: OpenPgp.Key): Promise<boolean> {
  return key.isRevoked(undefined, undefined, TIMELESS).catch(() => true)
}

/** Invariant: an address counts only if the key has signed it and not revoked it. */
async function emailsOf(key: OpenPgp.Key): Promise<string[]> {
  const emails = new Set<string>()
  for (const user of key.users) {
    const email = user.userID?.email.trim().toLowerCase() ?? ''
    if (email !== '' && (await holds(user.verify(TIMELESS)))) emails.add(email)
  }
  return [...emails]
}

/** Invariant: a subkey counts only if the key has signed it and not revoked it. */
async function describeSubkeys(
  openpgp: typeof OpenPgp,
  key: OpenPgp.Key,
  primary: GpgSubkey,
): Promise<GpgSubkey[]> {
  const subkeys: GpgSubkey[] = []
  for (const subkey of key.subkeys) {
    if (!(await holds(subkey.verify(TIMELESS)))) continue
    const own = (await subkey.getExpirationTime(TIMELESS)) ?? Number.POSITIVE_INFINITY
    const expiry = Math.min(Number(own), Number(primary.expires_at ?? Number.POSITIVE_INFINITY))
    subkeys.push(describePart(openpgp, subkey, primary.key_id, expiry))
  }
  return subkeys
}

function describePart(
  openpgp: typeof OpenPgp,
  part: OpenPgp.Key | OpenPgp.Subkey,
  primaryKeyId: string,
  expiry: Date | number,
): GpgSubkey {
  const packets = new openpgp.PacketList<OpenPgp.AnyPacket>()
  packets.push(part.keyPacket)
  const { algorithm } = part.getAlgorithmInfo()
  return {
    key_id: part.getKeyID().toHex().toUpperCase(),
    primary_key_id: primaryKeyId,
    public_key: Buffer.from(packets.write()).toString('base64'),
    can_sign: SIGNING.has(algorithm),
    can_encrypt_comms: ENCRYPTING.has(algorithm),
    can_encrypt_storage: ENCRYPTING.has(algorithm),
    can_certify: SIGNING.has(algorithm),
    created_at: part.getCreationTime(),
    expires_at: Number.isFinite(Number(expiry)) ? new Date(expiry) : null,
  }
}

async function holds(verification: Promise<unknown>): Promise<boolean> {
  return verification.then(
    () => true,
    () => false,
  )
}

function refused(reason: string): Problem {
  return new Problem('invalid', `invalid gpg key: ${reason}`)
}
