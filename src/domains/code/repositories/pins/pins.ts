/** Pinned repositories: those that a user or an organization shows first on its profile, in an order of its own. */
import { openOwnedOrg } from '#domains/people/orgs'
import { openUser } from '#domains/people/users'
import { type Context, transact } from '#platform/context'
import { forbidden, invalid } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { isVisibleTo } from '../access/access-sql.ts'
import type { Repository } from '../record/load.ts'
import { loadInOrder } from '../search/search.ts'

export const PINS_MAX = 6

declare const pinning: unique symbol
/** An account whose pins the caller may change: their own, or an organization that they own. */
export interface Pinner {
  readonly id: number
  readonly isOrganization: boolean
  readonly [pinning]: true
}

export async function openToPin(ctx: Context, login: string): Promise<Pinner> {
  const actor = asSignedIn({ ctx })
  const { id, kind } = await openUser(ctx, login)
  const isOrganization = kind === 'organization'
  if (isOrganization) await openOwnedOrg(ctx, login)
  else if (id !== actor.id) throw forbidden('repositories are pinned by the user alone')
  return { id, isOrganization } as Pinner
}

/** Those that the caller may see, in their order. An organization shows its own repositories only. */
export async function listPins(ctx: Context, login: string): Promise<Repository[]> {
  const { id, kind } = await openUser(ctx, login)
  return loadInOrder(ctx, await findPins(ctx, id, kind === 'organization'))
}

/** Replaces them. Repositories that the caller may not see are refused as if they did not exist. */
export async function setPins(
  ctx: Context,
  { id, isOrganization }: Pinner,
  ids: readonly number[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length > PINS_MAX) throw invalid('too many repositories are pinned', { max: PINS_MAX })
  await transact(ctx, async (ctx) => {
    const { db } = ctx
    // Two changes at once would exceed the limit.
    await db.selectFrom('account').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const known = new Set(await findVisible(ctx, wanted, isOrganization ? id : null))
    const missing = wanted.find((it) => !known.has(it))
    if (missing !== undefined) throw invalid('repository does not exist', { id: missing })
    await db.deleteFrom('pinned_repository').where('account_id', '=', id).execute()
    if (wanted.length === 0) return
    await db
      .insertInto('pinned_repository')
      .values(wanted.map((repository_id, place) => ({ account_id: id, repository_id, place })))
      .execute()
  })
}

async function findPins(ctx: Context, accountId: number, isOrganization: boolean): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('pinned_repository')
    .innerJoin('repository', 'repository.id', 'pinned_repository.repository_id')
    .select('repository.id')
    .where('pinned_repository.account_id', '=', accountId)
    .$if(isOrganization, (query) => query.where('repository.owner_id', '=', accountId))
    .where(isVisibleTo(ctx))
    .orderBy('pinned_repository.place')
    .limit(PINS_MAX)
    .execute()
  return rows.map(({ id }) => id)
}

async function findVisible(ctx: Context, ids: readonly number[], ownerId: number | null): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('repository')
    .select('repository.id')
    .where('repository.id', 'in', [...ids])
    .$if(ownerId !== null, (query) => query.where('repository.owner_id', '=', ownerId ?? 0))
    .where(isVisibleTo(ctx))
    .execute()
  return rows.map(({ id }) => id)
}
