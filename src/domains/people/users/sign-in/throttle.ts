/**
 * Failed sign-ins are counted in windows, in PostgreSQL for all nodes: by the network they come from, by network and name
 * together, and by account. Guesses slow the guesser down, and not the owner: from a network that has signed in to the
 * account before, the right password is never refused.
 *
 * A refusal goes by the name that was given, whether it has an account or not. Limits by account are silent: the password
 * counts as wrong. So nobody learns that two names belong to one account.
 */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { isKnownNetwork, networkOf } from './known-networks.ts'

export interface Tried {
  readonly name: string
  readonly address: string
  /** Undefined when the name is nobody's. */
  readonly accountId: number | undefined
}

/** What an attempt may still achieve. */
interface Gate {
  /** The attempt is let in if its password is right. */
  readonly takesPassword: boolean
  /** The attempt is let in if its one-time code is right. */
  readonly takesCode: boolean
  /** Thrown in place of «wrong»; attempts from networks that are not known get no further than this. */
  readonly refusal: Problem | undefined
  readonly isKnown: boolean
}

interface Limit {
  readonly key: string
  readonly max: number
  readonly guards: 'attempt' | 'password' | 'code'
}

/** Throws before the password is looked at when this network has failed too often, unless it is known. */
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

/** `wasCode`: the password was right and the code was not. */
export async function countFailure(
  ctx: Context,
  tried: Tried,
  { isKnown, wasCode }: { readonly isKnown: boolean; readonly wasCode: boolean },
): Promise<void> {
  const now = ctx.now()
  // In one order, so that two transactions do not wait for each other.
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
 * A success clears what this network failed at this account. The network itself is not cleared, because one good account
 * must not pay for guessing at others, nor is the account, because its owner must not pay for guesses from elsewhere.
 */
export async function forgetFailures(ctx: Context, tried: Tried): Promise<void> {
  const keys = [nameKey(tried), pairKey(tried), codeKey(tried)]
  await ctx.db.deleteFrom('sign_in_failure').where('key', 'in', keys).execute()
}

/** For a task by the clock: windows that ended say nothing any more. */
export async function sweepFailures(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('sign_in_failure').where('window_start', '<', windowStart(ctx)).execute()
}

const KEY_MAX = 300
const addressKey = ({ address }: Tried) => `address:${networkOf(address)}`
const nameKey = ({ name, address }: Tried) =>
  `name:${networkOf(address)}:${name.toLowerCase()}`.slice(0, KEY_MAX)
/** Whatever name of the account was given. */
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
    { key: totalKey(tried), max: config['sign_in.account_total_max'], guards: 'password' },
    // Six digits can be guessed by many networks together, and only by whoever knows the password: no network is exempt.
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
