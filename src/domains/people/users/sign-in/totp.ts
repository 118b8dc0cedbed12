/** The second factor: time-based codes, each valid once. */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import type { Account } from '../tables.ts'

export const TOTP_PURPOSE = 'totp'
/** Codes of the previous and next step are accepted, because clocks differ. */
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

/** Enrolls an account; secret and URI for authenticator apps are returned only here. */
export async function enrollTotp(ctx: Context, account: Account): Promise<{ secret: string; uri: string }> {
  const { generateSecret, generateURI } = await otplib()
  const secret = generateSecret()
  const row = { account_id: account.id, sealed_secret: ctx.seal.seal(TOTP_PURPOSE, secret), last_step: 0 }
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
 * A secret that is shown but not yet effective: the client returns it sealed, with a first code. So a user whose app
 * never got the secret is not locked out.
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

/** Opens a prepared secret, while it may still be confirmed. */
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

/** Enables the second factor. The confirming code counts as used. False when it is wrong. */
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
    sealed_secret: ctx.seal.seal(TOTP_PURPOSE, prepared.secret),
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

/** Whether the code is right and unused. Of two concurrent requests with one code, one wins. */
export async function useCode(ctx: Context, totp: Totp, code: string): Promise<boolean> {
  const step = await stepOf(ctx, ctx.seal.open(TOTP_PURPOSE, totp.sealed_secret), code)
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

/** The time step of a code; undefined when it matches no near step. */
async function stepOf(ctx: Context, secret: string, code: string): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined
  const { verify } = await otplib()
  const epoch = Math.floor(ctx.now().getTime() / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: TOLERANCE_S })
  return result.valid ? Math.floor(epoch / 30) + result.delta : undefined
}

/** Loaded on demand, which saves memory on nodes whose users have no second factor. */
function otplib() {
  return import('otplib')
}
