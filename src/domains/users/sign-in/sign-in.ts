/** Signing in with a name, or a confirmed address, and a password; and with a second factor where there is one. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { findAccount, findAccountByEmail, selectAccounts } from '../accounts/accounts.ts'
import type { Account } from '../tables.ts'
import { findPassword, isProven, keepProof, verifyPassword } from './passwords.ts'
import { assertNotThrottled, countFailure, forgetFailures } from './throttle.ts'
import { findTotp, type Totp, useCode } from './totp.ts'

export interface Attempt {
  readonly name: string
  readonly password: string
  readonly otp: string | undefined
  readonly address: string
}

/** An account, and the password that somebody knew. */
export interface SignedInAccount {
  readonly account: Account
  /** As it is stored. */
  readonly password: string
}

/** Undefined when anything about the attempt is wrong: what it was is nobody's business. */
export async function signIn(ctx: Context, attempt: Attempt): Promise<SignedInAccount | undefined> {
  const account = await findByNameOrEmail(ctx, attempt.name)
  const stored = account === undefined ? undefined : await findPassword(ctx.db, account.id)
  const totp = account === undefined ? undefined : await findTotp(ctx.db, account.id)
  const tried = { name: attempt.name, address: attempt.address, accountId: account?.id }
  // Six digits can be guessed by whoever knows the password, so a proven password spares no second factor.
  const isTrusted = totp === undefined && isProven(stored, attempt.password)
  const isOpen = isTrusted || (await assertNotThrottled(ctx, tried))
  const isGood = await verifyPassword(stored, attempt.password)
  const passes =
    isGood &&
    isOpen &&
    account?.prohibits_login === false &&
    (totp === undefined || (attempt.otp !== undefined && (await useCode(ctx, totp, attempt.otp))))
  if (!passes || stored === undefined) {
    await countFailure(ctx, tried)
    return undefined
  }
  const proven = { account, password: stored }
  if (isTrusted) return proven
  // Again: of many guesses sent at once, one that is right after too many were wrong comes too late.
  if (!(await assertNotThrottled(ctx, tried))) return undefined
  await forgetFailures(ctx, tried)
  keepProof(stored, attempt.password, ctx.config['sign_in.proof_s'] * 1000)
  return proven
}

/**
 * The first of two steps, for browsers: the password alone. It forgets no failures where a code is still due, so nobody can
 * go on guessing codes by giving the password again.
 */
export async function provePassword(
  ctx: Context,
  attempt: Omit<Attempt, 'otp'>,
): Promise<{ readonly account: Account; readonly needsCode: boolean } | undefined> {
  const account = await findByNameOrEmail(ctx, attempt.name)
  const stored = account === undefined ? undefined : await findPassword(ctx.db, account.id)
  const totp = account === undefined ? undefined : await findTotp(ctx.db, account.id)
  const tried = { name: attempt.name, address: attempt.address, accountId: account?.id }
  const isOpen = await assertNotThrottled(ctx, tried)
  const isGood = await verifyPassword(stored, attempt.password)
  if (!isGood || !isOpen || account === undefined || account.prohibits_login) {
    await countFailure(ctx, tried)
    return undefined
  }
  if (totp === undefined) await forgetFailures(ctx, tried)
  return { account, needsCode: totp !== undefined }
}

/** The second step. A code that was good once is not good again. */
export async function proveCode(
  ctx: Context,
  account: Account,
  isGood: (totp: Totp | undefined) => Promise<boolean>,
  address: string,
): Promise<boolean> {
  const tried = { name: account.login, address, accountId: account.id }
  const isOpen = await assertNotThrottled(ctx, tried)
  if (!(await isGood(await findTotp(ctx.db, account.id))) || !isOpen) {
    await countFailure(ctx, tried)
    return false
  }
  await forgetFailures(ctx, tried)
  return true
}

/** The account as it is now, while it has that password. */
export async function findStillSignedIn(
  db: Db,
  { account: { id }, password }: SignedInAccount,
): Promise<SignedInAccount | undefined> {
  const account = await selectAccounts(db)
    .innerJoin('account_password', 'account_password.account_id', 'account.id')
    .where('account.id', '=', id)
    .where('account_password.hash', '=', password)
    .executeTakeFirst()
  return account && { account, password }
}

/** Somebody by the name that they sign in with. */
export async function findByNameOrEmail(ctx: Context, name: string): Promise<Account | undefined> {
  const account = name.includes('@')
    ? await findAccountByEmail(ctx.db, name)
    : await findAccount(ctx.db, name)
  return account?.kind === 'user' ? account : undefined
}
