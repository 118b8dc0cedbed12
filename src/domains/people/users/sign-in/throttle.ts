/**
 * Failed sign-ins are counted in windows, in PostgreSQL for all nodes: by network, by network and name, and by account.
 * Guesses slow down the guesser, not the owner: from a network that has signed in to the account before, the right
 * password is never refused, and with a session of the account only failures of the same network count.
 *
 * A refusal (429) depends on the given name, whether or not it has an account. Limits by account are silent: the password
 * counts as wrong. So an attempt does not reveal that two names belong to one account.
 */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { isKnownNetwork, networkOf } from './known-networks.ts'

export interface Tried {
  readonly name: string
  readonly address: string
  /** Undefined when no account has the name. */
  readonly accountId: number | undefined
  /** The caller has a session of the account: guesses of strangers elsewhere do not concern it. */
  readonly isSignedIn?: boolean
}

/** The outcomes that an attempt may still have. */
interface Gate {
  /** A right password is accepted. */
  readonly takesPassword: boolean
  /** A right one-time code is accepted. */
  readonly takesCode: boolean
  /** Thrown for a wrong attempt from a known network; for other networks `openGate` throws it itself. */
  readonly refusal: Problem | undefined
  readonly isKnown: boolean
}

interface Limit {
  readonly key: string
  readonly max: number
  readonly guards: 'attempt' | 'password' | 'code'
}

/** Throws before the password is verified when this network has failed too often, unless it is known. */
export async function openGate(ctx: Context, tried: Tried): Promise<Gate> {
  const limits = limitsOf(ctx, tried)
  const isKnown = await isKnownNetwork(ctx, tried)
  const rows = await ctx.db
    .selectFrom('sign_in_failure')
    .select(['key', 'failures', 'window_start'])
    .where(
      'key',
      'in',
      limits.map(({ key }) => key),
    )
    .where('window_start', '>', windowStart(ctx))
    .execute()
  const over = limits.flatMap((limit) => {
    const row = rows.find(({ key }) => key === limit.key)
    return row !== undefined && row.failures >= limit.max ? [{ ...limit, ...row }] : []
  })
  const told = over.find(({ guards }) => guards === 'attempt')
  const refusal = told && tooMany(ctx, told.window_start)
  if (refusal !== undefined && !isKnown) throw refusal
  return {
    takesPassword: isKnown || !over.some(({ guards }) => guards === 'password'),
    takesCode: !over.some(({ guards }) => guards === 'code'),
    refusal,
    isKnown,
  }
}

/** `wasCode`: the password was right and the code was wrong. */
export async function countFailure(
  ctx: Context,
  tried: Tried,
  { isKnown, wasCode }: { readonly isKnown: boolean; readonly wasCode: boolean },
): Promise<void> {
  const now = ctx.now()
  // In a fixed order, so that two transactions cannot deadlock.
  const keys = limitsOf(ctx, tried)
    .filter(({ key, guards }) => (guards === 'code' ? wasCode : key !== totalKey(tried) || !isKnown))
    .map(({ key }) => key)
    .sort()
  await ctx.db
    .insertInto('sign_in_failure')
    .values(keys.map((key) => ({ key, window_start: now, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when sign_in_failure.window_start > ${windowStart(ctx)} then sign_in_failure.failures + 1 else 1 end`,
        window_start: sql`case when sign_in_failure.window_start > ${windowStart(ctx)} then sign_in_failure.window_start else ${now} end`,
      }),
    )
    .execute()
}

/**
 * A success resets the failures of this network for this account, and the account's failed codes. The network's total
 * stays, because one own account must not allow guessing at others; the account's total stays, because it counts guesses
 * from elsewhere.
 */
export async function forgetFailures(ctx: Context, tried: Tried): Promise<void> {
  const keys = [nameKey(tried), pairKey(tried), codeKey(tried)]
  await ctx.db.deleteFrom('sign_in_failure').where('key', 'in', keys).execute()
}

/** For a periodic task: deletes windows that have ended. */
export async function sweepFailures(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('sign_in_failure').where('window_start', '<', windowStart(ctx)).execute()
}

const KEY_MAX = 300
const addressKey = ({ address }: Tried) => `address:${networkOf(address)}`
const nameKey = ({ name, address }: Tried) =>
  `name:${networkOf(address)}:${name.toLowerCase()}`.slice(0, KEY_MAX)
/** By account, whatever name was given. */
const pairKey = ({ accountId = 0, address }: Tried) => `pair:${networkOf(address)}:${accountId}`
const totalKey = ({ accountId = 0 }: Tried) => `account:${accountId}`
const codeKey = ({ accountId = 0 }: Tried) => `code:${accountId}`

function limitsOf({ config }: Context, tried: Tried): Limit[] {
  const pairMax = config['sign_in.account_failures_max']
  const told: Limit[] = [
    { key: addressKey(tried), max: config['sign_in.address_failures_max'], guards: 'attempt' },
    { key: nameKey(tried), max: pairMax, guards: 'attempt' },
  ]
  if (tried.accountId === undefined) return told
  return [
    ...told,
    { key: pairKey(tried), max: pairMax, guards: 'password' },
    ...(tried.isSignedIn
      ? []
      : [{ key: totalKey(tried), max: config['sign_in.account_total_max'], guards: 'password' as const }]),
    // Codes are guessed only by someone who knows the password, possibly from many networks: no network is exempt.
    { key: codeKey(tried), max: pairMax, guards: 'code' },
  ]
}

function tooMany(ctx: Context, windowStart: Date): Problem {
  const endsAt = windowStart.getTime() + windowMs(ctx)
  const retryAfterS = Math.max(1, Math.ceil((endsAt - ctx.now().getTime()) / 1000))
  return new Problem('too_many', 'too many failed sign-ins, try again later', { retryAfterS })
}

function windowMs(ctx: Context): number {
  return ctx.config['sign_in.window_s'] * 1000
}

function windowStart(ctx: Context): Date {
  return new Date(ctx.now().getTime() - windowMs(ctx))
}
