/**
 * Networks from which an account has signed in (`known_address`), stored as digests, so that guesses from elsewhere do
 * not lock its owner out. The newest 50 of each account are kept for 90 days.
 */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Context } from '#platform/context'

const KNOWN_MAX = 50
const DAY_MS = 86_400_000
const KEPT_MS = 90 * DAY_MS

interface Origin {
  readonly accountId: number | undefined
  readonly address: string
}

/** An IPv4 address, or the /64 prefix of an IPv6 address, which a provider assigns to one customer. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  const whole = tail === undefined ? groups : [...groups, ...zeros, ...rest]
  return `${whole
    .slice(0, 4)
    .map((it) => Number.parseInt(it, 16).toString(16))
    .join(':')}::/64`
}

export async function isKnownNetwork(ctx: Context, origin: Origin): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('known_address')
    .select('seen_at')
    .where('account_id', '=', origin.accountId ?? 0)
    .where('digest', '=', digestOf(origin))
    .where('seen_at', '>', new Date(ctx.now().getTime() - KEPT_MS))
    .executeTakeFirst()
  return row !== undefined
}

/** Call after a sign-in with all required factors. A known network is updated at most once a day. */
export async function rememberNetwork(ctx: Context, accountId: number, address: string): Promise<void> {
  const now = ctx.now()
  const written = await ctx.db
    .insertInto('known_address')
    .values({ account_id: accountId, digest: digestOf({ accountId, address }), seen_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'digest'])
        .doUpdateSet({ seen_at: now })
        .where('known_address.seen_at', '<', new Date(now.getTime() - DAY_MS)),
    )
    .executeTakeFirst()
  if (written.numInsertedOrUpdatedRows === 0n) return
  await ctx.db
    .deleteFrom('known_address')
    .where('account_id', '=', accountId)
    .where('digest', 'not in', (eb) =>
      eb
        .selectFrom('known_address as newer')
        .select('newer.digest')
        .where('newer.account_id', '=', accountId)
        .orderBy('newer.seen_at', 'desc')
        .limit(KNOWN_MAX),
    )
    .execute()
}

export async function sweepKnownNetworks(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('known_address')
    .where('seen_at', '<', new Date(ctx.now().getTime() - KEPT_MS))
    .execute()
}

/** Includes the account, so that rows do not reveal that two accounts share a network. */
function digestOf({ accountId = 0, address }: Origin): Buffer {
  return createHash('sha256')
    .update(`${accountId}\0${networkOf(address)}`)
    .digest()
}
