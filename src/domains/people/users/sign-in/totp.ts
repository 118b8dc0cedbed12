/** The second factor: codes from a shared secret and the clock, each good once. */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import type { Account } from '../tables.ts'

const PURPOSE = 'totp'
/** A code of the step before or after is still good: clocks differ. */
const TOLERANCE_S = 30
const PREPARED = 'totp_prepared'
const PREPARED_MS = 3_600_000

interface Prepared {
  readonly secret: string
  readonly account: number
  readonly until: number
}

export interface Totp {
  readonly account_id: number
  readonly sealed_secret: string
  readonly last_step: number
}

export function findTotp(db: Db, accountId: number): Promise<Totp | undefined> {
  return db
    .selectFrom('account_totp')
    .select(['account_id', 'sealed_secret', 'last_step'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Enrolls an account; the secret and its address for authenticator apps are shown this once. */
export async function enrollTotp(ctx: Context, account: Account): Promise<{ secret: string; uri: string }> {
  const { generateSecret, generateURI } = await otplib()
  const secret = generateSecret()
  const row = { account_id: account.id, sealed_secret: ctx.seal.seal(PURPOSE, secret), last_step: 0 }
  await transact(ctx, (ctx) =>
    ctx.db
      .insertInto('account_totp')
      .values({ ...row, created_at: ctx.now() })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...row, created_at: ctx.now() }))
      .execute(),
  )
  return { secret, uri: generateURI({ issuer: ctx.site.host, label: account.login, secret }) }
}

/**
 * A secret that somebody is shown and that counts for nothing yet: it comes back sealed, with the first code made from it.
 * So nobody is locked out by an app that never got it.
 */
export async function prepareTotp(
  ctx: Context,
  account: Account,
): Promise<{ secret: string; uri: string; sealed: string }> {
  const { generateSecret, generateURI } = await otplib()
  const secret = generateSecret()
  const until = ctx.now().getTime() + PREPARED_MS
  const sealed = ctx.seal.seal(PREPARED, JSON.stringify({ secret, account: account.id, until }))
  return { secret, uri: generateURI({ issuer: ctx.site.host, label: account.login, secret }), sealed }
}

/** The secret that was shown, while it may still be confirmed. */
export async function openPrepared(
  ctx: Context,
  account: Account,
  sealed: string,
): Promise<{ secret: string; uri: string } | undefined> {
  try {
    const found = JSON.parse(ctx.seal.open(PREPARED, sealed)) as Prepared
    if (found.account !== account.id || found.until < ctx.now().getTime()) return undefined
    const { generateURI } = await otplib()
    const { secret } = found
    return { secret, uri: generateURI({ issuer: ctx.site.host, label: account.login, secret }) }
  } catch {
    return undefined
  }
}

/** From now on codes are asked for. The one that confirmed it is used up. False when it is wrong. */
export async function confirmTotp(
  ctx: Context,
  account: Account,
  sealed: string,
  code: string,
): Promise<boolean> {
  const prepared = await openPrepared(ctx, account, sealed)
  const step = prepared && (await stepOf(ctx, prepared.secret, code))
  if (prepared === undefined || step === undefined) return false
  const row = {
    account_id: account.id,
    sealed_secret: ctx.seal.seal(PURPOSE, prepared.secret),
    last_step: step,
    created_at: ctx.now(),
  }
  return transact(ctx, async (ctx) => {
    const made = await ctx.db
      .insertInto('account_totp')
      .values(row)
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .executeTakeFirst()
    return made.numInsertedOrUpdatedRows === 1n
  })
}

export async function dropTotp(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, (ctx) =>
    ctx.db.deleteFrom('account_totp').where('account_id', '=', accountId).execute(),
  )
}

/** Whether the code is good, and was not used before. Two requests with one code: one of them wins. */
export async function useCode(ctx: Context, totp: Totp, code: string): Promise<boolean> {
  const step = await stepOf(ctx, ctx.seal.open(PURPOSE, totp.sealed_secret), code)
  if (step === undefined) return false
  return transact(ctx, async (ctx) => {
    const used = await ctx.db
      .updateTable('account_totp')
      .set({ last_step: step })
      .where('account_id', '=', totp.account_id)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return used.numUpdatedRows === 1n
  })
}

/** Which step of the clock a code is of; undefined when it is of none that is near. */
async function stepOf(ctx: Context, secret: string, code: string): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined
  const { verify } = await otplib()
  const epoch = Math.floor(ctx.now().getTime() / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: TOLERANCE_S })
  return result.valid ? Math.floor(epoch / 30) + result.delta : undefined
}

/** Loaded when somebody has a second factor: a small node does not pay for it. */
function otplib() {
  return import('otplib')
}
