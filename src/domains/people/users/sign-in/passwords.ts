/** Passwords: hashed with Argon2id, and verified so that timing does not reveal whether the account exists. */
import { createHmac, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { LRUCache } from 'lru-cache'
import { emit } from '#events'
import { atMost } from '#platform/at-most'
import { type Context, type TxContext, transact } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import { updateAccount } from '../accounts/accounts.ts'
import type { Account } from '../tables.ts'
import { isOldHash, verifyOldHash } from './old/old-hashes.ts'

export const PASSWORD_MAX = 255
const PROOFS_MAX = 10_000
/** 32 bytes in base64 without padding. */
const OWN_DIGEST_LETTERS = 43

/** Verified against when there is no such account, so that both cases take the same time. */
let nobodysHash: Promise<string> | undefined

/**
 * Recently verified passwords, so that HTTP Basic on every request stays cheap. Keyed by a secret of this process, the
 * stored hash and the password: changing the password invalidates the entry at once, on every node.
 */
const secret = randomBytes(32)
const proofs = new LRUCache<string, true>(atMost(PROOFS_MAX))

/** Compat: a missing or short password is 400, where every other invalid field is 422. */
export function assertPassword(ctx: Context, password: string): void {
  const least = ctx.config['password.length_min']
  if (password.length < least) throw new Problem('malformed', 'password is too short', { least })
  if (password.length > PASSWORD_MAX)
    throw new Problem('malformed', 'password is too long', { most: PASSWORD_MAX })
}

/**
 * Sets a password chosen by its owner; the old one is invalid at once, on every node. `also` runs in the same
 * transaction and may throw to refuse the change.
 */
export async function setPassword(
  ctx: Context,
  account: Account,
  password: string,
  also?: (ctx: TxContext) => Promise<void>,
): Promise<void> {
  assertPassword(ctx, password)
  const hashed = await hashPassword(password)
  await transact(ctx, async (ctx) => {
    // First, because it locks the account: of two resets by the same link, the second finds the link used.
    await updateAccount(ctx.db, account.id, { must_change_password: false, updated_at: ctx.now() })
    await storePassword(ctx.db, account.id, hashed, ctx.now())
    await also?.(ctx)
    await emit(ctx, 'account.credentials_changed', { account_id: account.id })
  })
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

export async function findPassword(db: Db, accountId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_password')
    .select('hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.hash
}

/** `stored` is undefined when there is no such account or it has no password. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  if (isProven(stored, password)) return true
  if (stored !== undefined && isOldHash(stored)) return verifyOldHash(stored, password)
  const isGood = await verify(stored ?? (await getNobodysHash()), password)
  return stored !== undefined && isGood
}

/**
 * Hashes a proven password anew if its hash was moved in, and returns the hash that is stored. The password is the same,
 * so sessions stay.
 */
export async function renewOldHash(
  ctx: Context,
  accountId: number,
  stored: string,
  password: string,
): Promise<string> {
  if (!isMovedIn(stored)) return stored
  const hashed = await hashPassword(password)
  const { numUpdatedRows } = await ctx.db
    .updateTable('account_password')
    .set({ hash: hashed })
    .where('account_id', '=', accountId)
    .where('hash', '=', stored)
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return hashed
  // A request at the same moment was faster.
  const now = await findPassword(ctx.db, accountId)
  return now !== undefined && (await verifyPassword(now, password)) ? now : stored
}

/** Argon2 of others has a digest of another length than ours. */
function isMovedIn(stored: string): boolean {
  const digest = stored.split('$')[5] ?? ''
  return isOldHash(stored) || digest.length !== OWN_DIGEST_LETTERS
}

/** Call only after a successful sign-in: a refused attempt must not make a later one skip the throttle. */
export function keepProof(stored: string, password: string, proofMs: number): void {
  if (proofMs > 0) proofs.set(proofOf(stored, password), true, { ttl: proofMs })
}

/** Computed on first use, because hashing takes memory that an idle node should not hold. */
function getNobodysHash(): Promise<string> {
  nobodysHash ??= hash(randomBytes(16).toString('hex'))
  return nobodysHash
}

/** Whether the password was verified recently, so that the attempt need not be throttled. */
export function isProven(stored: string | undefined, password: string): boolean {
  return stored !== undefined && proofs.has(proofOf(stored, password))
}

function proofOf(stored: string, password: string): string {
  return createHmac('sha256', secret).update(`${stored}\0${password}`).digest('base64')
}
