/**
 * Password hashes that were moved in keep their method until their user signs in. Argon2 becomes the form of our own
 * hashes; `old:METHOD:PARAMETERS:SALT:DIGEST` is stored for the others.
 */
import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { WorkThread } from '#platform/thread'
import { isBcrypt } from './bcrypt.ts'
import type { BcryptOrder } from './bcrypt-thread.ts'

const PREFIX = 'old:'
const ITERATIONS_MAX = 2_000_000
const MEMORY_BYTES_MAX = 256 * 1024 * 1024
const PASSES_MAX = 16
const LANES_MAX = 16
const DIGEST_BYTES_MAX = 128
/** Argon2 requires a salt of this length. */
const SALT_BYTES_MIN = 8

const thread = new WorkThread<BcryptOrder, boolean>(new URL('bcrypt-thread.ts', import.meta.url), {
  timeMs: 20_000,
  memoryMb: 64,
  waitingMax: 64,
})

export interface OldHash {
  readonly method: string
  readonly parameters: readonly number[]
  readonly salt: Buffer
  /** In hexadecimal; for bcrypt the whole hash. */
  readonly digest: string
}

/** What to store; undefined for a method that is unknown or costs too much to verify. */
export function keepOldHash({ method, parameters, salt, digest }: OldHash): string | undefined {
  if (method === 'bcrypt') return isBcrypt(digest) ? `${PREFIX}bcrypt:::${digest}` : undefined
  if (!/^(?:[0-9a-f]{2})+$/.test(digest) || digest.length / 2 > DIGEST_BYTES_MAX) return undefined
  if (!isAffordable(method, parameters)) return undefined
  if (method === 'argon2') return argon2Text(parameters, salt, digest)
  return `${PREFIX}${method}:${parameters.slice(0, -1).join(',')}:${salt.toString('hex')}:${digest}`
}

export function isOldHash(stored: string): boolean {
  return stored.startsWith(PREFIX)
}

export async function verifyOldHash(stored: string, password: string): Promise<boolean> {
  const [, method = '', words = '', salt = '', digest = ''] = stored.split(':')
  if (method === 'bcrypt') return (await thread.ask({ hash: digest, password }, {})) ?? false
  const parameters = words.split(',').map(Number)
  const wanted = Buffer.from(digest, 'hex')
  if (!isAffordable(method, parameters)) return false
  const made = await derive(method, parameters, password, Buffer.from(salt, 'hex'), wanted.length)
  return made !== undefined && timingSafeEqual(made, wanted)
}

async function derive(
  method: string,
  parameters: readonly number[],
  password: string,
  salt: Buffer,
  length: number,
): Promise<Buffer | undefined> {
  if (method === 'pbkdf2') return promisify(pbkdf2)(password, salt, parameters[0] ?? 0, length, 'sha256')
  if (method !== 'scrypt') return undefined
  const [N = 0, r = 0, p = 0] = parameters
  return new Promise((resolve, reject) =>
    scrypt(password, salt, length, { N, r, p, maxmem: MEMORY_BYTES_MAX * 2 }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  )
}

function isAffordable(method: string, parameters: readonly number[]): boolean {
  if (!parameters.every((it) => Number.isSafeInteger(it) && it > 0)) return false
  const [first = 0, second = 0, third = 0] = parameters
  if (method === 'pbkdf2') return first <= ITERATIONS_MAX
  if (method === 'scrypt') return first * second * 128 <= MEMORY_BYTES_MAX && third <= PASSES_MAX
  return method === 'argon2' && first <= PASSES_MAX && second * 1024 <= MEMORY_BYTES_MAX && third <= LANES_MAX
}

/** The text form of Argon2id, which verification of our own hashes reads. */
function argon2Text(parameters: readonly number[], salt: Buffer, digest: string): string | undefined {
  if (salt.length < SALT_BYTES_MIN) return undefined
  const [passes, memoryKib, lanes] = parameters
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  const costs = `m=${memoryKib},t=${passes},p=${lanes}`
  return `$argon2id$v=19$${costs}$${base64(salt)}$${base64(Buffer.from(digest, 'hex'))}`
}
