/** Sign-ins that fail are counted, by account and by address, for all nodes together. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'

/** Refuses before the password is even looked at when too many tries have failed in this window. */
export async function assertNotThrottled(ctx: Context, name: string, address: string): Promise<void> {
  const rows = await ctx.db
    .selectFrom('sign_in_failure')
    .select(['key', 'failures', 'window_start'])
    .where('key', 'in', [accountKey(name), addressKey(address)])
    .where('window_start', '>', windowStart(ctx))
    .execute()
  for (const row of rows) {
    const isAccount = row.key === accountKey(name)
    const most = ctx.config[isAccount ? 'sign_in.account_failures_max' : 'sign_in.address_failures_max']
    if (row.failures < most) continue
    const endsAt = row.window_start.getTime() + windowMs(ctx)
    const retryAfterS = Math.max(1, Math.ceil((endsAt - ctx.now().getTime()) / 1000))
    throw new Problem('too_many', 'too many failed sign-ins, try again later', { retryAfterS })
  }
}

export async function countFailure(ctx: Context, name: string, address: string): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .insertInto('sign_in_failure')
    .values([accountKey(name), addressKey(address)].map((key) => ({ key, window_start: now, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when sign_in_failure.window_start > ${windowStart(ctx)} then sign_in_failure.failures + 1 else 1 end`,
        window_start: sql`case when sign_in_failure.window_start > ${windowStart(ctx)} then sign_in_failure.window_start else ${now} end`,
      }),
    )
    .execute()
}

/** A success clears the account, not the address: one good account must not pay for guessing at others. */
export async function forgetFailures(ctx: Context, name: string): Promise<void> {
  await ctx.db.deleteFrom('sign_in_failure').where('key', '=', accountKey(name)).execute()
}

/** For a task by the clock: windows that ended say nothing any more. */
export async function sweepFailures(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('sign_in_failure').where('window_start', '<', windowStart(ctx)).execute()
}

const KEY_MAX = 300
const accountKey = (name: string) => `account:${name.toLowerCase()}`.slice(0, KEY_MAX)
const addressKey = (address: string) => `address:${address}`

function windowMs(ctx: Context): number {
  return ctx.config['sign_in.window_s'] * 1000
}

function windowStart(ctx: Context): Date {
  return new Date(ctx.now().getTime() - windowMs(ctx))
}
