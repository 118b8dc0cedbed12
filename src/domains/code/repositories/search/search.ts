/**
 * Searches repositories: filter, order, page and total.
 *
 * Open and granted repositories are queried separately: an index yields the open ones in order, up to the end of the
 * page, and the few granted ones are found through their grants.
 */
import { type RawBuilder, sql } from 'kysely'
import { selectAccounts } from '#domains/people/users'
import type { Context } from '#platform/context'
import type { Db, Paged } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Page } from '#platform/rest'
import { type Grant, rowsOf } from '../access/access-sql.ts'
import { complete, findFacts, type Repository } from '../record/load.ts'
import { loadConditions, type RepositorySearch } from './search-filter.ts'
import { orderOf } from './search-order.ts'
import { loadVisible, type Visible } from './search-visibility.ts'

/** Finds the ids of the page, then loads the repositories: a fixed number of queries. */
export async function searchRepositories(
  ctx: Context,
  search: RepositorySearch,
  page: Page,
): Promise<Paged<Repository>> {
  const { ids, total } = await findRepositories(ctx, search, page)
  return { items: await loadInOrder(ctx, ids), total }
}

interface FoundIds {
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

/** Returns one row. Granted repositories are materialized once, for the page and the total. */
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

/** Loads repositories in the order of `ids`. The owners are queried concurrently. */
export async function loadInOrder(ctx: Context, ids: readonly number[]): Promise<Repository[]> {
  if (ids.length === 0) return []
  const [rows, owners] = await Promise.all([findFacts(ctx, ids), OWNERS.rows(ctx.db, { ids })])
  const found = new Map((await complete(ctx, rows, owners)).map((repo) => [repo.id, repo]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

const OWNERS = new Statement((db: Db, { ids }: { ids: readonly number[] }) =>
  selectAccounts(db).where('account.id', 'in', (eb) =>
    eb.selectFrom('repository').select('owner_id').where('repository.id', 'in', ids),
  ),
)

type Conditions = readonly RawBuilder<boolean>[]
type Order = ReturnType<typeof orderOf>

/** Ids with their sort keys. */
function select(grant: Grant, wanted: Conditions, { join, keys }: Order): RawBuilder<unknown> {
  return sql`select repository.id, ${sql.join(keys.map(({ key }, i) => sql`${key} as ${keyName(i)}`))}
    from ${rowsOf(grant)} ${join} where ${sql.join([grant.where, ...wanted], sql` and `)}`
}

function keyName(i: number): RawBuilder<unknown> {
  return sql.ref(`key${i}`)
}

/** Without conditions, `repository_tally` has the total of the open repositories. */
function totalOf({ open, audiences, granted }: Visible, wanted: Conditions): RawBuilder<unknown> {
  const grantedTotal = granted.length === 0 ? sql`0` : sql`(select count(*) from granted)`
  if (audiences.length === 0) return grantedTotal
  const openTotal =
    wanted.length > 0
      ? sql`(select count(*) from repository where ${sql.join([open, ...wanted], sql` and `)})`
      : sql`(select coalesce(sum(repositories), 0) from repository_tally
          where audience in (${sql.join([...audiences])}))`
  return sql`${openTotal} + ${grantedTotal}`
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
