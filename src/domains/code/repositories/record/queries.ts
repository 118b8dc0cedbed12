/** Lists of repositories that the caller may see. Each takes a fixed number of queries. */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'
import { CUSTOM_PLAN, type Paged, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import { grantedIds, isVisibleTo } from '../access/access-sql.ts'
import { complete, type Repository, selectRepositories } from './load.ts'

type Condition = RawBuilder<boolean>
type Order = readonly RawBuilder<unknown>[]

const BY_ID: Order = [sql`repository.id`]
export const BY_NAME: Order = [sql`repository.name_key`, sql`repository.id`]

export function listOfOwner(ctx: Context, ownerId: number, page: Page): Promise<Paged<Repository>> {
  return list(ctx, sql<boolean>`repository.owner_id = ${ownerId}`, BY_ID, page)
}

/** Repositories that a user owns, collaborates on or has by a team, ordered by name. */
export function listOfActor(ctx: Context, actor: { id: number }, page: Page): Promise<Paged<Repository>> {
  return list(ctx, isWorkedOnBy(actor.id), BY_NAME, page)
}

export function listOfTeam(ctx: Context, teamId: number, page: Page): Promise<Paged<Repository>> {
  const isTheirs = sql<boolean>`exists (select 1 from team_repository
    where team_repository.repository_id = repository.id and team_repository.team_id = ${teamId})`
  return list(ctx, isTheirs, BY_ID, page)
}

export function listForks(ctx: Context, parentId: number, page: Page): Promise<Paged<Repository>> {
  return list(ctx, sql<boolean>`repository.parent_id = ${parentId}`, BY_ID, page)
}

/** A set of ids, because three conditions on each row would scan all repositories. */
export function isWorkedOnBy(userId: number): Condition {
  return sql<boolean>`repository.id in (${grantedIds(userId)})`
}

/** Custom plan: the best index depends on the number of matching rows, and thus on the parameter values. */
export function selectPage(ctx: Context, wanted: Condition, order: Order = BY_ID) {
  return order
    .reduce((rows, by) => rows.orderBy(by), selectRepositories(ctx))
    .where(wanted)
    .where(isVisibleTo(ctx))
    .modifyEnd(CUSTOM_PLAN)
}

async function list(ctx: Context, wanted: Condition, order: Order, page: Page): Promise<Paged<Repository>> {
  const counted = ctx.db.selectFrom('repository').where(wanted).where(isVisibleTo(ctx)).modifyEnd(CUSTOM_PLAN)
  const { items, total } = await takePage(selectPage(ctx, wanted, order), page, counted)
  return { items: await complete(ctx, items), total }
}
