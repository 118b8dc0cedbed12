/**
 * SQL of the search. Each kind and state is searched separately, latest first and no further than the page, because
 * each has an index in this order for each kind of caller (`issue_public`, `issue_limited`, `issue_anyones`).
 * PostgreSQL sees the number of granted repositories, and so chooses between scanning the latest issues of all and
 * those of the granted ones.
 */
import { type RawBuilder, sql } from 'kysely'
import type { ReadableUnits } from '#domains/code/repositories'
import { CUSTOM_PLAN, type Db } from '#platform/db'
import type { Page } from '#platform/rest'
import { type IssueSort, ORDERS } from '../records/store.ts'
import { conditionsOf, type IssueFilter } from './filter.ts'

/** Pages end here; a client that wants more must narrow the search. */
export const REACH = 10_000
/** The total is exact up to this many rows behind the page. */
const COUNTED_AHEAD = 1_000

export interface FoundIssues {
  /** In order. */
  readonly ids: number[]
  readonly total: number
}

export async function searchIssues(
  db: Db,
  readable: ReadableUnits<'issues' | 'pulls'>,
  filter: IssueFilter,
  page: Page,
  sort: IssueSort = 'latest',
): Promise<FoundIssues> {
  const { rows } = await selectFound(readable, filter, page, sort).execute(db)
  return rows[0] ?? { ids: [], total: 0 }
}

/** Another order than the latest first is that of the latest `REACH` of each kind and state, which have an index. */
export function selectFound(
  readable: ReadableUnits<'issues' | 'pulls'>,
  filter: IssueFilter,
  page: Page,
  sort: IssueSort = 'latest',
): RawBuilder<FoundIssues> {
  const kinds = filter.isPull === null ? [false, true] : [filter.isPull]
  const states = filter.isClosed === null ? [false, true] : [filter.isClosed]
  const conditions = conditionsOf(filter)
  const [column, direction] = ORDERS[sort]
  const parts = kinds.flatMap((isPull) =>
    states.map((isClosed) => selectPart(readable, isPull, isClosed, conditions, column)),
  )
  const last = Math.min(page.offset + page.limit, REACH)
  const most = Math.min(last + COUNTED_AHEAD, REACH)
  const sorted = sort === 'latest' ? last : REACH
  return sql<FoundIssues>`select
    (select least(count(*), ${most}) from (${firstOf(parts, most)}) as counted)::bigint as total,
    to_json(array(select found.id from (${firstOf(parts, sorted)}) as found
      order by ${sql.ref(`found.${column}`)} ${sql.raw(direction)}, found.id ${sql.raw(direction)}
      limit ${Math.max(last - page.offset, 0)} offset ${page.offset})) as ids ${CUSTOM_PLAN}`
}

/** Ordered even for the count; otherwise PostgreSQL would scan the table until it has enough rows. */
function firstOf(parts: readonly RawBuilder<unknown>[], count: number): RawBuilder<unknown> {
  const first = parts.map(
    (part) => sql`(${part} order by issue.created_at desc, issue.id desc limit ${count})`,
  )
  return sql.join(first, sql` union all `)
}

function selectPart(
  readable: ReadableUnits<'issues' | 'pulls'>,
  isPull: boolean,
  isClosed: boolean,
  conditions: readonly RawBuilder<boolean>[],
  column: string,
): RawBuilder<unknown> {
  const all = [isReadable(readable, isPull), ...conditions]
  const key = column === 'created_at' ? sql`` : sql`, ${sql.ref(`issue.${column}`)}`
  return sql`select issue.id, issue.created_at${key} from issue where issue.is_pull = ${isPull}
    and issue.is_closed = ${isClosed} and ${sql.join(all, sql` and `)}`
}

/** Conditions spelled as in the partial indexes. */
function isReadable(
  { audiences, granted }: ReadableUnits<'issues' | 'pulls'>,
  isPull: boolean,
): RawBuilder<boolean> {
  const ids = granted[isPull ? 'pulls' : 'issues']
  const anyones = sql<boolean>`issue.audience <> 'nobody'`
  if (audiences.includes('private')) return anyones
  const open = audiences.includes('limited')
    ? sql<boolean>`issue.audience in ('public', 'limited')`
    : sql<boolean>`issue.audience = 'public'`
  if (ids.length === 0) return open
  return sql<boolean>`${anyones} and (${open} or issue.repository_id = any(${[...ids]}::bigint[]))`
}
