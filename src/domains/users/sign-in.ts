/** Signing in with a name, or a confirmed address, and a password; and with a second factor where there is one. */
import type { Context } from '#platform/context'
import { findAccount, findAccountByEmail } from './accounts.ts'
import { isProven, verifyPassword } from './passwords.ts'
import type { Account } from './tables.ts'
import { assertNotThrottled, countFailure, forgetFailures } from './throttle.ts'
import { findTotp, useCode } from './totp.ts'

export interface Attempt {
  readonly name: string
  readonly password: string
  readonly otp: string | undefined
  readonly address: string
}

/** The account, or undefined when anything about the attempt is wrong: what it was is nobody's business. */
export async function signIn(ctx: Context, attempt: Attempt): Promise<Account | undefined> {
  const account = await findByName(ctx, attempt.name)
  const stored = account === undefined ? undefined : await findPassword(ctx, account.id)
  if (!isProven(stored, attempt.password)) await assertNotThrottled(ctx, attempt.name, attempt.address)
  const wasProven = isProven(stored, attempt.password)
  const isGood = await verifyPassword(stored, attempt.password, ctx.config['sign_in.proof_s'] * 1000)
  if (
    !isGood ||
    account === undefined ||
    account.prohibits_login ||
    !(await passesSecondFactor(ctx, account, attempt))
  ) {
    await countFailure(ctx, attempt.name, attempt.address)
    return undefined
  }
  if (!wasProven) await forgetFailures(ctx, attempt.name)
  return account
}

async function findByName(ctx: Context, name: string): Promise<Account | undefined> {
  const account = name.includes('@')
    ? await findAccountByEmail(ctx.db, name)
    : await findAccount(ctx.db, name)
  return account?.kind === 'user' ? account : undefined
}

async function findPassword(ctx: Context, accountId: number): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('account_password')
    .select('hash')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.hash
}

async function passesSecondFactor(ctx: Context, account: Account, attempt: Attempt): Promise<boolean> {
  const totp = await findTotp(ctx.db, account.id)
  if (totp === undefined) return true
  return attempt.otp !== undefined && (await useCode(ctx, totp, attempt.otp))
}
