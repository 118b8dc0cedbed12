/** Reads the limits of a new token: names repositories and owners that exist for its account, in their normal form. */
import { loadInOrder } from '#domains/code/repositories'
import {
  isLimited,
  may,
  parseRange,
  parseRefPattern,
  parseUnit,
  type Restriction,
  UNRESTRICTED,
} from '#domains/people/access'
import { type Account, actorOf, findMembership } from '#domains/people/users'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import type { TokenLimits } from '../schemas.ts'
import type { StoredRestriction } from '../tables.ts'

export async function readLimits(
  ctx: Context,
  account: Account,
  wish: TokenLimits,
  endsAt: Date | null,
): Promise<Restriction> {
  const { repository_ids: repositories = [], owner_ids: owners = [] } = wish
  const isPlaced = wish.repository_ids !== undefined || wish.owner_ids !== undefined
  await assertRepositories(ctx, account, repositories)
  for (const id of owners) await assertOwner(ctx, account, id)
  return {
    ...UNRESTRICTED,
    places: isPlaced ? [{ repositories, owners }] : [],
    units: wish.units_map === undefined ? null : readUnits(wish.units_map),
    refs: wish.refs === undefined ? [] : [wish.refs.map(readPattern)],
    addresses: wish.addresses === undefined ? [] : [wish.addresses.map(readRange)],
    endsAt,
  }
}

/** The JSON of a restriction; null for one that limits only time. */
export function storedAs(it: Restriction): string | null {
  const { places, units, refs, addresses } = it
  const stored: StoredRestriction = { places, units, refs, addresses }
  return isLimited(it) ? JSON.stringify(stored) : null
}

/** As the account itself, or as the token that makes a smaller one. Hidden and missing repositories are alike. */
async function assertRepositories(ctx: Context, account: Account, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  const isOwn = ctx.actor?.id === account.id
  const actor = isOwn ? ctx.actor : actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
  const found = await loadInOrder({ ...ctx, actor }, wanted)
  const visible = new Set(found.filter(({ access }) => may(access, 'see')).map(({ id }) => id))
  const missing = wanted.find((id) => !visible.has(id))
  if (missing !== undefined) throw invalid('repository does not exist', { id: missing })
}

async function assertOwner(ctx: Context, account: Account, id: number): Promise<void> {
  if (id === account.id || id === account.organization_id) return
  if ((await findMembership(ctx.db, id, account.id)) !== undefined) return
  throw invalid('owner is neither the user nor an organization of the user', { id })
}

function readUnits(map: Readonly<Record<string, 'read' | 'write'>>): Restriction['units'] {
  const entries = Object.entries(map).map(([name, level]) => {
    const unit = parseUnit(name)
    if (unit === undefined) throw invalid('unit does not exist', { unit: name })
    return [unit, level] as const
  })
  if (entries.length === 0) throw invalid('units_map has no unit')
  return Object.fromEntries(entries)
}

function readPattern(text: string): string {
  const pattern = parseRefPattern(text)
  if (pattern === undefined) throw invalid('ref pattern is invalid', { pattern: text })
  return pattern
}

function readRange(text: string): string {
  const range = parseRange(text)
  if (range === undefined) throw invalid('address is neither an IP address nor a network', { address: text })
  return range
}
