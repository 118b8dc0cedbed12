/** Lists of repositories. Each costs a fixed number of queries, and shows what the caller may see. */
import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Page } from '#platform/rest'
import { complete, isVisibleTo, type Repository, selectRepositories } from './load.ts'

export interface Repositories {
  readonly repositories: Repository[]
  readonly total: number
}

export function listOfOwner(ctx: Context, ownerId: number, page: Page): Promise<Repositories> {
  return list(ctx, sql<boolean>`repository.owner_id = ${ownerId}`, page)
}

export function listOfTeam(ctx: Context, teamId: number, page: Page): Promise<Repositories> {
  const isTheirs = sql<boolean>`exists (select 1 from team_repository
    where team_repository.repository_id = repository.id and team_repository.team_id = ${teamId})`
  return list(ctx, isTheirs, page)
}

async function list(
  ctx: Context,
  wanted: ReturnType<typeof sql<boolean>>,
  page: Page,
): Promise<Repositories> {
  const rows = await selectRepositories(ctx)
    .where(wanted)
    .where(isVisibleTo(ctx))
    .orderBy('repository.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const { total } = await ctx.db
    .selectFrom('repository')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(wanted)
    .where(isVisibleTo(ctx))
    .executeTakeFirstOrThrow()
  return { repositories: await complete(ctx, rows), total }
}
