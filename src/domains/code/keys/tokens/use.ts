/** What a token did in 90 days, and the token narrowed to that. */
import { sql } from 'kysely'
import { loadInOrder, type Repository } from '#domains/code/repositories'
import { atLeast, may, narrowed, UNITS, UNRESTRICTED, type Unit, wireUnit } from '#domains/people/access'
import { type Account, actorOf } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid, notFound } from '#platform/problem'
import type { KeyOwner } from '../open-owner.ts'
import { IDS_MAX, type TokenLimits } from '../schemas.ts'
import { selectTokens } from '../store.ts'
import type { AccessTokenRow, UsedLevel } from '../tables.ts'
import { restrictionOf } from './bearers.ts'
import { readLimits, storedAs } from './limits.ts'
import { KEPT_DAYS, MORE, OTHER, sweepTokenUse } from './token-use.ts'

/** Of one token; there are at most 300 a day. */
const USES_MAX = 1_000
const DAY_MS = 86_400_000

export interface TokenUseRow {
  readonly place_id: number
  readonly part: string
  readonly level: UsedLevel
  readonly last_day: string
}

export interface ShownUse {
  /** Null for what is in no repository, or in one that the user does not see any more. */
  readonly repository: Pick<Repository, 'id' | 'name' | 'owner'> | null
  readonly unit: Unit | null
  readonly level: UsedLevel
  readonly lastDay: string
  /** No limited token can do it. */
  readonly isLost: boolean
}

export interface UseReport {
  readonly token: AccessTokenRow
  readonly uses: readonly ShownUse[]
  /** Undefined when the token did nothing that a limited token can do, or too much to be listed. */
  readonly proposal: Required<Pick<TokenLimits, 'repository_ids' | 'units_map'>> | undefined
}

export async function findOwnToken(db: Db, owner: KeyOwner, nameOrId: string): Promise<AccessTokenRow> {
  const id = /^\d{1,15}$/.test(nameOrId) ? Number(nameOrId) : undefined
  const row = await selectTokens(db, owner.id)
    .where((eb) => (id === undefined ? eb('name', '=', nameOrId) : eb('id', '=', id)))
    .executeTakeFirst()
  if (row === undefined) throw notFound('access token', nameOrId)
  return row
}

export async function reportUse(ctx: Context, owner: KeyOwner, nameOrId: string): Promise<UseReport> {
  const token = await findOwnToken(ctx.db, owner, nameOrId)
  const rows = await listUses(ctx.db, token.id, ctx.now())
  const visible = await loadVisible(ctx, owner, rows)
  const uses = rows.map((row) => shown(row, visible))
  return { token, uses, proposal: rows.length < USES_MAX ? proposalFrom(rows, visible) : undefined }
}

/** The token permits what it permitted before and what the limits permit. Tokens that it has made end. */
export async function narrowOwnToken(
  ctx: Context,
  owner: KeyOwner,
  nameOrId: string,
  limits: TokenLimits,
): Promise<AccessTokenRow> {
  if (Object.keys(limits).length === 0) throw invalid('there is no limit')
  return transact(ctx, async (ctx) => {
    const { id } = await findOwnToken(ctx.db, owner, nameOrId)
    const token = await ctx.db
      .selectFrom('access_token')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (token === undefined) throw notFound('access token', nameOrId)
    const wanted = await readLimits(ctx, owner, limits, token.expires_at)
    const restriction = narrowed(restrictionOf(token) ?? UNRESTRICTED, wanted)
    await ctx.db.deleteFrom('access_token').where('parent_id', '=', id).execute()
    return ctx.db
      .updateTable('access_token')
      .set({ restriction: storedAs(restriction) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Run by cron. */
export function sweepUses(ctx: Context): Promise<void> {
  return sweepTokenUse(ctx.db, ctx.now())
}

async function listUses(db: Db, tokenId: number, now: Date): Promise<TokenUseRow[]> {
  const since = new Date(now.getTime() - KEPT_DAYS * DAY_MS)
  return db
    .selectFrom('token_use')
    .select(['place_id', 'part', 'level', sql<string>`max(day)::text`.as('last_day')])
    .where('token_id', '=', tokenId)
    .where('day', '>=', since)
    .groupBy(['place_id', 'part', 'level'])
    .orderBy('place_id')
    .orderBy('part')
    .orderBy('level')
    .limit(USES_MAX)
    .execute()
}

/** The repositories that the user of the token still sees, by id. */
async function loadVisible(
  ctx: Context,
  owner: Account,
  rows: readonly TokenUseRow[],
): Promise<ReadonlyMap<number, Repository>> {
  const ids = [...new Set(rows.map(({ place_id }) => place_id))].filter((id) => id !== OTHER.placeId)
  const actor = actorOf(owner, { publicOnly: false, via: 'process', tokenId: null })
  const found = await loadInOrder({ ...ctx, actor }, ids)
  return new Map(found.filter(({ access }) => may(access, 'see')).map((repo) => [repo.id, repo]))
}

function shown(row: TokenUseRow, visible: ReadonlyMap<number, Repository>): ShownUse {
  const { place_id, part, level, last_day } = row
  const unit = unitOf(part)
  return {
    repository: visible.get(place_id) ?? null,
    unit: unit ?? null,
    level,
    lastDay: last_day,
    isLost: level === 'admin' || place_id === OTHER.placeId || !visible.has(place_id),
  }
}

function proposalFrom(
  rows: readonly TokenUseRow[],
  visible: ReadonlyMap<number, Repository>,
): UseReport['proposal'] {
  const kept = rows.filter(({ place_id }) => visible.has(place_id))
  const ids = [...new Set(kept.map(({ place_id }) => place_id))]
  const units: Record<string, 'read' | 'write'> = {}
  for (const { part, level } of kept) {
    const unit = unitOf(part)
    if (unit === undefined) continue
    const name = wireUnit(unit)
    // What needs more than the level write is lost.
    const wanted = level === 'read' ? 'read' : 'write'
    if (!atLeast(units[name] ?? 'none', wanted)) units[name] = wanted
  }
  const isTooMuch = ids.length > IDS_MAX || rows.some(({ part }) => part === MORE.part)
  if (isTooMuch || ids.length === 0 || Object.keys(units).length === 0) return undefined
  return { repository_ids: ids, units_map: units }
}

function unitOf(part: string): Unit | undefined {
  return UNITS.find((unit) => unit === part)
}
