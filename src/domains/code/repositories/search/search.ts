/**
 * Searching repositories: which are wanted, in which order, and how many there are in all.
 *
 * What is open to the caller and what was granted to them are looked through apart, in order and no further than the
 * page reaches: an index gives the first of the many that are open, and the few others are found by what granted them.
 */
import { type RawBuilder, sql } from 'kysely'
import { selectAccounts } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Paged } from '#platform/db'
import type { Page } from '#platform/rest'
import { type Grant, rowsOf } from '../access/access-sql.ts'
import { complete, type Repository, selectRepositories } from '../record/load.ts'
import { loadConditions, type RepositorySearch } from './search-filter.ts'
import { orderOf } from './search-order.ts'
import { loadVisible, type Visible } from './search-visibility.ts'

/** The numbers of those on the page, and these whole: a fixed number of queries. */
export async function searchRepositories(
  ctx: Context,
  search: RepositorySearch,
  page: Page,
): Promise<Paged<Repository>> {
  const { ids, total } = await findRepositories(ctx, search, page)
  return { items: await loadInOrder(ctx, ids), total }
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
  const visible = await loadVisible(ctx, search)
  const wanted = await loadConditions(ctx, search)
  const order = orderOf(search)
  const gathered = visible.granted.map((grant) => select(grant, wanted, order))
  const granted =
    gathered.length === 0 ? sql`` : sql`with granted as materialized (${sql.join(gathered, sql` union `)})`
  return sql<FoundIds>`${granted} select (${totalOf(visible, wanted)})::bigint as total,
    to_json(array(${idsOf(visible, wanted, order, page)})) as ids`
}

/** Whole repositories, in the order of their numbers as given. Their owners are asked for at the same time. */
export async function loadInOrder(ctx: Context, ids: readonly number[]): Promise<Repository[]> {
  if (ids.length === 0) return []
  const ownerIds = ctx.db.selectFrom('repository').select('owner_id').where('id', 'in', ids)
  const [rows, owners] = await Promise.all([
    selectRepositories(ctx).where('repository.id', 'in', ids).execute(),
    selectAccounts(ctx.db).where('account.id', 'in', ownerIds).execute(),
  ])
  const found = new Map((await complete(ctx, rows, owners)).map((repo) => [repo.id, repo]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

type Conditions = readonly RawBuilder<boolean>[]
type Order = ReturnType<typeof orderOf>

/** Numbers, with what they are ordered by. */
function select(grant: Grant, wanted: Conditions, { join, keys }: Order): RawBuilder<unknown> {
  return sql`select repository.id, ${sql.join(keys.map(({ key }, i) => sql`${key} as ${keyName(i)}`))}
    from ${rowsOf(grant)} ${join} where ${sql.join([grant.where, ...wanted], sql` and `)}`
}

function keyName(i: number): RawBuilder<unknown> {
  return sql.ref(`key${i}`)
}

/** What is open has been counted before, unless only some of it is wanted. */
function totalOf({ open, audiences, granted }: Visible, wanted: Conditions): RawBuilder<unknown> {
  const openTotal =
    wanted.length > 0
      ? sql`(select count(*) from repository where ${sql.join([open, ...wanted], sql` and `)})`
      : sql`(select coalesce(sum(repositories), 0) from repository_tally
          where audience in (${sql.join([...audiences])}))`
  return granted.length === 0 ? openTotal : sql`${openTotal} + (select count(*) from granted)`
}

function idsOf(
  { open, granted }: Visible,
  wanted: Conditions,
  order: Order,
  page: Page,
): RawBuilder<{ id: number }> {
  const { keys } = order
  const first = sql`(${select({ where: open }, wanted, order)}
    order by ${sql.join(keys.map(({ key, direction }) => sql`${key} ${sql.raw(direction)}`))}
    limit ${page.offset + page.limit})`
  const all = granted.length === 0 ? first : sql`${first} union all select * from granted`
  return sql<{ id: number }>`select found.id from (${all}) as found
    order by ${sql.join(keys.map(({ direction }, i) => sql`${keyName(i)} ${sql.raw(direction)}`))}
    limit ${page.limit} offset ${page.offset}`
}
