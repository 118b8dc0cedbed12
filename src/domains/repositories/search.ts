/**
 * Searching repositories: which are wanted, in which order, and how many there are in all.
 *
 * What is open to the caller and what was granted to them are looked through apart, in order and no further than the
 * page reaches: an index gives the first of the many that are open, and the few others are found by what granted them.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Page } from '#platform/rest'
import { complete, type Repository, selectRepositories } from './load.ts'
import { loadConditions, type RepositorySearch } from './search-filter.ts'
import { orderOf } from './search-order.ts'
import { loadSight, type Sight } from './search-sight.ts'

export interface Found {
  readonly repositories: Repository[]
  readonly total: number
}

/** The numbers of those on the page, and these whole: a fixed number of queries. */
export async function searchRepositories(ctx: Context, search: RepositorySearch, page: Page): Promise<Found> {
  const { ids, total } = await findRepositories(ctx, search, page)
  return { repositories: await loadInOrder(ctx, ids), total }
}

interface FoundIds {
  /** In order. */
  readonly ids: number[]
  readonly total: number
}

export async function findRepositories(
  ctx: Context,
  search: RepositorySearch,
  page: Page,
): Promise<FoundIds> {
  const { rows } = await (await prepareSearch(ctx, search, page)).execute(ctx.db)
  return rows[0] ?? { ids: [], total: 0 }
}

/** A query for one row: what was granted is gathered once, for the page and for the total. */
export async function prepareSearch(
  ctx: Context,
  search: RepositorySearch,
  page: Page,
): Promise<RawBuilder<FoundIds>> {
  const sight = await loadSight(ctx, search)
  const wanted = await loadConditions(ctx.db, search)
  const gathered = sight.granted === null ? sql`` : sql`with granted (id) as materialized (${sight.granted})`
  return sql<FoundIds>`${gathered} select (${totalOf(sight, wanted)})::bigint as total,
    to_json(array(${idsOf(sight, wanted, search, page)})) as ids`
}

/** Whole repositories, in the order of their numbers as given. */
export async function loadInOrder(ctx: Context, ids: readonly number[]): Promise<Repository[]> {
  if (ids.length === 0) return []
  const rows = await selectRepositories(ctx)
    .where('repository.id', 'in', [...ids])
    .execute()
  const found = new Map((await complete(ctx, rows)).map((repo) => [repo.id, repo]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

const IS_GRANTED = sql<boolean>`repository.id in (select granted.id from granted)`

type Conditions = readonly RawBuilder<boolean>[]

function partsOf({ open, granted }: Sight, wanted: Conditions): RawBuilder<boolean>[] {
  const parts = granted === null ? [open] : [open, IS_GRANTED]
  return parts.map((part) => sql<boolean>`${sql.join([part, ...wanted], sql` and `)}`)
}

/** What is open has been counted before, unless only some of it is wanted. */
function totalOf(sight: Sight, wanted: Conditions): RawBuilder<unknown> {
  if (wanted.length > 0)
    return sql.join(
      partsOf(sight, wanted).map((part) => sql`(select count(*) from repository where ${part})`),
      sql` + `,
    )
  const open = sql`(select coalesce(sum(repositories), 0) from repository_tally
    where audience in (${sql.join([...sight.audiences])}))`
  return sight.granted === null ? open : sql`${open} + (select count(*) from granted)`
}

function idsOf(
  sight: Sight,
  wanted: Conditions,
  search: RepositorySearch,
  page: Page,
): RawBuilder<{ id: number }> {
  const { source, keys } = orderOf(search)
  const name = (i: number) => sql.ref(`key${i}`)
  const parts = partsOf(sight, wanted).map(
    (part) => sql`(
      select repository.id, ${sql.join(keys.map(({ key }, i) => sql`${key} as ${name(i)}`))}
      from ${source} where ${part}
      order by ${sql.join(keys.map(({ key, direction }) => sql`${key} ${sql.raw(direction)}`))}
      limit ${page.offset + page.limit})`,
  )
  return sql<{ id: number }>`select found.id from (${sql.join(parts, sql` union all `)}) as found
    order by ${sql.join(keys.map(({ direction }, i) => sql`${name(i)} ${sql.raw(direction)}`))}
    limit ${page.limit} offset ${page.offset}`
}
