/** The second factor: codes from a shared secret and the clock, each good once. */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import type { Account } from '../tables.ts'

const PURPOSE = 'totp'
/** A code of the step before or after is still good: clocks differ. */
const TOLERANCE_S = 30

interface Totp {
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

export async function dropTotp(ctx: Context, accountId: number): Promise<void> {
  await transact(ctx, (ctx) =>
    ctx.db.deleteFrom('account_totp').where('account_id', '=', accountId).execute(),
  )
}

/** Whether the code is good, and was not used before. Two requests with one code: one of them wins. */
export async function useCode(ctx: Context, totp: Totp, code: string): Promise<boolean> {
  const secret = ctx.seal.open(PURPOSE, totp.sealed_secret)
  if (!/^\d{6}$/.test(code)) return false
  const { verify } = await otplib()
  const epoch = Math.floor(ctx.now().getTime() / 1000)
  const result = await verify({ secret, token: code, epoch, epochTolerance: TOLERANCE_S })
  if (!result.valid) return false
  const step = Math.floor(epoch / 30) + result.delta
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

/** Loaded when somebody has a second factor: a small node does not pay for it. */
function otplib() {
  return import('otplib')
}
