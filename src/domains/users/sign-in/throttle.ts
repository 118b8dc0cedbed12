/**
 * Sign-ins that fail are counted, by the name that was given, by address and by account, for all nodes together.
 *
 * Whoever is refused is told so by the name they gave, whether there is such an account or not. That an account was
 * guessed at under another of its names is told to nobody, because it would tell whose name that is.
 */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'

export interface Tried {
  readonly name: string
  readonly address: string
  /** Whose name it is, if it is anybody's. */
  readonly accountId: number | undefined
}

/**
 * Refuses before the password is even looked at when too many tries have failed in this window. False when it is only
 * the account that too many have failed for: then whatever the password, it is wrong.
 */
export async function assertNotThrottled(ctx: Context, tried: Tried): Promise<boolean> {
  const rows = await ctx.db
    .selectFrom('sign_in_failure')
    .select(['key', 'failures', 'window_start'])
    .where('key', 'in', keysOf(tried))
    .where('window_start', '>', windowStart(ctx))
    .execute()
  const isOver = ({ key, failures }: { key: string; failures: number }) =>
    failures >=
    ctx.config[key === addressKey(tried) ? 'sign_in.address_failures_max' : 'sign_in.account_failures_max']
  const over = rows.filter(isOver)
  for (const row of over) {
    if (row.key === accountKey(tried)) continue
    const endsAt = row.window_start.getTime() + windowMs(ctx)
    const retryAfterS = Math.max(1, Math.ceil((endsAt - ctx.now().getTime()) / 1000))
    throw new Problem('too_many', 'too many failed sign-ins, try again later', { retryAfterS })
  }
  return over.length === 0
}

export async function countFailure(ctx: Context, tried: Tried): Promise<void> {
  const now = ctx.now()
  await ctx.db
    .insertInto('sign_in_failure')
    .values(keysOf(tried).map((key) => ({ key, window_start: now, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when sign_in_failure.window_start > ${windowStart(ctx)} then sign_in_failure.failures + 1 else 1 end`,
        window_start: sql`case when sign_in_failure.window_start > ${windowStart(ctx)} then sign_in_failure.window_start else ${now} end`,
      }),
    )
    .execute()
}

/** A success clears the account, not the address: one good account must not pay for guessing at others. */
export async function forgetFailures(ctx: Context, tried: Tried): Promise<void> {
  const keys = keysOf(tried).filter((key) => key !== addressKey(tried))
  await ctx.db.deleteFrom('sign_in_failure').where('key', 'in', keys).execute()
}

/** For a task by the clock: windows that ended say nothing any more. */
export async function sweepFailures(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('sign_in_failure').where('window_start', '<', windowStart(ctx)).execute()
}

const KEY_MAX = 300
const accountKey = ({ accountId = 0 }: Tried) => `account:${accountId}`
const addressKey = ({ address }: Tried) => `address:${address}`
const nameKey = ({ name }: Tried) => `name:${name.toLowerCase()}`.slice(0, KEY_MAX)

/** In one order, so that nobody waits for each other in a circle. */
function keysOf(tried: Tried): string[] {
  const account = tried.accountId === undefined ? [] : [accountKey(tried)]
  return [...account, addressKey(tried), nameKey(tried)]
}

function windowMs(ctx: Context): number {
  return ctx.config['sign_in.window_s'] * 1000
}

function windowStart(ctx: Context): Date {
  return new Date(ctx.now().getTime() - windowMs(ctx))
}
