/** Passwords: kept as Argon2id, checked without telling by time whether the account exists. */
import { createHmac, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { LRUCache } from 'lru-cache'
import type { Context } from '#platform/context'
import type { Tx } from '#platform/db'
import { invalid } from '#platform/problem'

export const PASSWORD_MAX = 255
const PROOFS_MAX = 10_000

/** Checked against when there is no such account, so that both cases take the same time. */
const NOBODYS_HASH = await hash(randomBytes(16).toString('hex'))

/**
 * Passwords that were good a moment ago, so that Basic on every call stays cheap. Keyed by a secret of this process,
 * the stored hash and the password: a changed password makes its own proof useless at once, on every node.
 */
const secret = randomBytes(32)
const proofs = new LRUCache<string, true>({ max: PROOFS_MAX })

export function assertPassword(ctx: Context, password: string): void {
  const least = ctx.config['password.length_min']
  if (password.length < least) throw invalid('password is too short', { least })
  if (password.length > PASSWORD_MAX) throw invalid('password is too long', { most: PASSWORD_MAX })
}

/** Slow on purpose: call it before the transaction begins. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

export async function storePassword(tx: Tx, accountId: number, hashed: string, now: Date): Promise<void> {
  await tx
    .insertInto('account_password')
    .values({ account_id: accountId, hash: hashed, changed_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash: hashed, changed_at: now }))
    .execute()
}

/** `stored` is undefined when there is no such account or it has no password. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  proofMs: number,
): Promise<boolean> {
  const proof = createHmac('sha256', secret)
    .update(`${stored ?? ''}\0${password}`)
    .digest('base64')
  if (stored !== undefined && proofs.has(proof)) return true
  const isGood = await verify(stored ?? NOBODYS_HASH, password)
  if (stored === undefined || !isGood) return false
  if (proofMs > 0) proofs.set(proof, true, { ttl: proofMs })
  return true
}

/** Whether the password was verified so recently that it need not be throttled again. */
export function isProven(stored: string | undefined, password: string): boolean {
  if (stored === undefined) return false
  return proofs.has(createHmac('sha256', secret).update(`${stored}\0${password}`).digest('base64'))
}
