/** Signs in with a name or confirmed email address, a password, and a second factor if enrolled. */
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { logFailedSignIn } from '#platform/log'
import { Problem } from '#platform/problem'
import { findAccount, findAccountByEmail, selectAccounts } from '../accounts/accounts.ts'
import { SUSPENDED } from '../accounts/actors.ts'
import { takesOwnCredentials } from '../accounts/confine.ts'
import type { Account } from '../tables.ts'
import { rememberNetwork } from './known-networks.ts'
import { findPassword, isProven, keepProof, renewOldHash, verifyPassword } from './passwords.ts'
import { countFailure, forgetFailures, openGate, type Tried } from './throttle.ts'
import { findTotp, type Totp, useCode } from './totp.ts'

const NOBODY = 0

export interface Attempt {
  readonly name: string
  readonly password: string
  readonly otp: string | undefined
  readonly address: string
}

/** An account, and the stored hash of the password that was given. */
export interface SignedInAccount {
  readonly account: Account
  /** The stored hash. */
  readonly password: string
}

/** Thrown after the right password only, so that only the owner of the account learns of its suspension here. */
export class Suspended extends Problem {
  readonly accountId: number

  constructor(accountId: number) {
    super('forbidden', SUSPENDED)
    this.accountId = accountId
  }
}

/** Undefined when anything about the attempt is wrong; the reason is not revealed. */
export async function signIn(ctx: Context, attempt: Attempt): Promise<SignedInAccount | undefined> {
  const found = await lookUp(ctx, attempt)
  const { account, stored, totp, tried } = found
  const isTrusted = totp === undefined && isProven(stored, attempt.password)
  if (isTrusted && isAdmitted(account) && stored !== undefined) return { account, password: stored }
  const { otp } = attempt
  // A recently verified password does not skip the second factor: six digits could be guessed by someone who knows it.
  const code = totp && (async () => otp !== undefined && (await useCode(ctx, totp, otp)))
  const proven = await prove(ctx, found, attempt.password, code)
  if (proven === undefined) return undefined
  await forgetFailures(ctx, tried)
  await rememberNetwork(ctx, proven.account.id, attempt.address)
  keepProof(proven.password, attempt.password, ctx.config['sign_in.proof_s'] * 1000)
  return proven
}

/**
 * The first of two steps, for browsers: the password alone. Failures are not reset while a code is due, so repeating the
 * password does not allow more guesses of the code.
 */
export async function provePassword(
  ctx: Context,
  attempt: Omit<Attempt, 'otp'> & Pick<Tried, 'isSignedIn'>,
): Promise<{ readonly account: Account; readonly needsCode: boolean } | undefined> {
  const found = await lookUp(ctx, attempt)
  const proven = await prove(ctx, found, attempt.password)
  if (proven === undefined) return undefined
  if (found.totp === undefined) await forgetFailures(ctx, found.tried)
  return { account: proven.account, needsCode: found.totp !== undefined }
}

/** The second step. A code works once. */
export async function proveCode(
  ctx: Context,
  account: Account,
  isGood: (totp: Totp | undefined) => Promise<boolean>,
  address: string,
): Promise<boolean> {
  const tried = { name: account.login, address, accountId: account.id }
  const { takesCode, isKnown } = await openGate(ctx, tried)
  const passes = takesCode && (await isGood(await findTotp(ctx.db, account.id)))
  // Checked again: among concurrent guesses, a right one after too many wrong ones is refused.
  if (!passes || !(await openGate(ctx, tried)).takesCode) {
    await countFailure(ctx, tried, { isKnown, wasCode: true })
    noteRefusal(ctx, { address, by: 'code', account })
    return false
  }
  await forgetFailures(ctx, tried)
  return true
}

/** Some callers return the refusal as a value, so the audit record gets it here. */
function noteRefusal(
  ctx: Context,
  { address, by, account }: { address: string; by: 'password' | 'code'; account: Account | undefined },
): void {
  logFailedSignIn(ctx.log, { address, by, login: account?.login })
  if (account !== undefined) ctx.audit?.identify(account)
  ctx.audit?.refuse('unauthenticated')
}

interface Found {
  readonly account: Account | undefined
  readonly stored: string | undefined
  readonly totp: Totp | undefined
  readonly tried: Tried
}

/** Runs the same statements for an unknown name, so that timing reveals nothing. */
async function lookUp(
  ctx: Context,
  { name, address, isSignedIn = false }: Omit<Tried, 'accountId'>,
): Promise<Found> {
  const account = await findByNameOrEmail(ctx, name)
  // Programs have no password, whatever an administrator or a recovery stored for them.
  const id = account?.kind === 'user' ? account.id : NOBODY
  const stored = await findPassword(ctx.db, id)
  const totp = await findTotp(ctx.db, id)
  return { account, stored, totp, tried: { name, address, accountId: account?.id, isSignedIn } }
}

/** Verifies the password and, if due, the code; counts failures. */
async function prove(
  ctx: Context,
  { account, stored, tried }: Found,
  password: string,
  code?: () => Promise<boolean>,
): Promise<SignedInAccount | undefined> {
  const gate = await openGate(ctx, tried).catch((error: unknown) => {
    if (error instanceof Problem) noteRefusal(ctx, { address: tried.address, by: 'password', account })
    throw error
  })
  const isGood = (await verifyPassword(stored, password)) && gate.takesPassword
  if (isGood && account?.is_suspended) throw new Suspended(account.id)
  const isTheirs = isGood && isAdmitted(account) && stored !== undefined
  if (!isTheirs || (code !== undefined && !(gate.takesCode && (await code())))) {
    await countFailure(ctx, tried, { isKnown: gate.isKnown, wasCode: isTheirs })
    noteRefusal(ctx, { address: tried.address, by: isTheirs ? 'code' : 'password', account })
    if (gate.refusal !== undefined) throw gate.refusal
    return undefined
  }
  // Checked again: among concurrent guesses, a right one after too many wrong ones is refused.
  const { takesPassword, takesCode } = await openGate(ctx, tried)
  if (!takesPassword || !(code === undefined || takesCode)) return undefined
  return { account, password: await renewOldHash(ctx, account.id, stored, password) }
}

/** Whether a right password signs in to the account. */
function isAdmitted(account: Account | undefined): account is Account {
  return account !== undefined && !account.prohibits_login && takesOwnCredentials(account)
}

/** The current account, if its password is still the same. */
export async function findStillSignedIn(
  db: Db,
  { account: { id }, password }: SignedInAccount,
): Promise<SignedInAccount | undefined> {
  const account = await selectAccounts(db)
    .innerJoin('account_password', 'account_password.account_id', 'account.id')
    .where('account.id', '=', id)
    .where('account_password.hash', '=', password)
    .where('account.only_source_id', 'is', null)
    .executeTakeFirst()
  return account && { account, password }
}

/** A user by the name or email address that they sign in with. */
export async function findByNameOrEmail(ctx: Context, name: string): Promise<Account | undefined> {
  const account = name.includes('@')
    ? await findAccountByEmail(ctx.db, name)
    : await findAccount(ctx.db, name)
  return account?.kind === 'user' ? account : undefined
}
