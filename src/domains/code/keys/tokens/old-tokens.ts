/**
 * Tokens that were moved in from a Gitea, which stores a salted PBKDF2 hash and the last eight characters. The first use
 * gives them a digest of ours.
 */
import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '#platform/context'
import { digestOf } from '../bearer.ts'

const ITERATIONS = 10_000
const HASH = /^[0-9a-f]{100}$/
const SALT_LENGTH_MAX = 64
/** Tokens with the same end; each costs a hash. */
const CANDIDATES_MAX = 4

/** What to store in `old_hash`; null for a hash of an unknown form, whose token can never be verified. */
export function keepOldToken(salt: string, hash: string): string | null {
  return HASH.test(hash) && salt.length <= SALT_LENGTH_MAX ? `${salt}:${hash}` : null
}

/** Computed in a thread of libuv. */
export async function provesOldToken(kept: string, token: string): Promise<boolean> {
  const place = kept.lastIndexOf(':')
  const hash = Buffer.from(kept.slice(place + 1), 'hex')
  const made = await promisify(pbkdf2)(token, kept.slice(0, place), ITERATIONS, hash.length, 'sha256')
  return timingSafeEqual(made, hash)
}

/** Whether the token was one of those. Of two uses at the same moment both find the digest afterwards. */
export async function adoptOldToken({ db }: Context, token: string): Promise<boolean> {
  const candidates = await db
    .selectFrom('access_token')
    .select(['id', 'old_hash'])
    .where('last_eight', '=', token.slice(-8))
    .where('old_hash', 'is not', null)
    .orderBy('id')
    .limit(CANDIDATES_MAX)
    .execute()
  for (const { id, old_hash } of candidates) {
    if (old_hash === null || !(await provesOldToken(old_hash, token))) continue
    await db
      .updateTable('access_token')
      .set({ digest: digestOf(token), old_hash: null })
      .where('id', '=', id)
      .where('old_hash', '=', old_hash)
      .execute()
    return true
  }
  return false
}
