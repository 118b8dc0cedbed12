/**
 * SQL of the lists. Each repository and each requested status is a separate index scan in list order, limited to the
 * reach of pages, so a list does not get slower with the rows it leaves out.
 */
import { type RawBuilder, sql } from 'kysely'
import { isReadableTo } from '#domains/code/repositories'
import type { Actor } from '#platform/context'
import { CUSTOM_PLAN, type Db } from '#platform/db'
import type { Page } from '#platform/rest'
import type { Status } from '../record/status.ts'
import type { JobFilter, RunFilter } from './filter.ts'

/** Limit of pages and totals. */
export const REACH = 10_000

/** All repositories, one repository, one attempt of a run, or the repositories of an owner that `readerOf` may read. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'repository'; readonly id: number }
  | { readonly kind: 'attempt'; readonly runId: number; readonly attempt: number }
  | { readonly kind: 'owner'; readonly id: number; readonly readerOf: Actor | null }

export interface FoundIds {
  /** In list order. */
  readonly ids: number[]
  readonly total: number
}

export async function findRunIds(db: Db, scope: Scope, filter: RunFilter, page: Page): Promise<FoundIds> {
  const { rows } = await selectRunIds(scope, filter, page).execute(db)
  return rows[0] ?? { ids: [], total: 0 }
}

export function selectRunIds(scope: Scope, filter: RunFilter, page: Page): RawBuilder<FoundIds> {
  const row = (column: string) => sql.ref(`action_run.${column}`)
  const wanted = (
    [
      ['event', filter.event],
      ['ref', filter.ref],
      ['actor_id', filter.actorId],
      ['head_sha', filter.headSha],
      ['workflow_file', filter.workflowFile],
    ] as const
  ).flatMap(([column, value]) => (value === null ? [] : [sql<boolean>`${row(column)} = ${value}`]))
  // In a repository, numbers ascend with run ids, and are the last column of its indexes.
  const key = scope.kind === 'all' ? 'id' : 'number'
  return selectFound({ table: 'action_run', key, order: 'desc' }, scope, filter.statuses, wanted, page)
}

export async function findJobIds(db: Db, scope: Scope, filter: JobFilter, page: Page): Promise<FoundIds> {
  const { rows } = await selectJobIds(scope, filter, page).execute(db)
  return rows[0] ?? { ids: [], total: 0 }
}

export function selectJobIds(scope: Scope, filter: JobFilter, page: Page): RawBuilder<FoundIds> {
  const { order, statuses } = filter
  return selectFound({ table: 'action_job', key: 'id', order }, scope, statuses, [], page)
}

interface Listed {
  readonly table: 'action_run' | 'action_job'
  /** Sort column within one repository. */
  readonly key: 'id' | 'number'
  readonly order: 'asc' | 'desc'
}

function selectFound(
  listed: Listed,
  scope: Scope,
  statuses: readonly Status[] | null,
  wanted: readonly RawBuilder<boolean>[],
  page: Page,
): RawBuilder<FoundIds> {
  const { order } = listed
  const last = Math.min(page.offset + page.limit, REACH)
  const first = (count: number) => firstOf(listed, scope, statuses, wanted, count)
  return sql<FoundIds>`select
    (select count(*) from (${first(REACH)} limit ${REACH}) as counted)::bigint as total,
    to_json(array(select found.id from (${first(last)}) as found order by found.id ${sql.raw(order)}
      limit ${Math.max(last - page.offset, 0)} offset ${page.offset})) as ids ${CUSTOM_PLAN}`
}

/** The first rows of each index scan; together they contain the first rows of the list. */
function firstOf(
  { table, key, order }: Listed,
  scope: Scope,
  statuses: readonly Status[] | null,
  wanted: readonly RawBuilder<boolean>[],
  count: number,
): RawBuilder<unknown> {
  const row = (column: string) => sql.ref(`${table}.${column}`)
  const places = placesOf(scope)
  const parts = [
    ...places,
    ...(statuses === null ? [] : [sql`unnest(${[...statuses]}::text[]) as asked (status)`]),
  ]
  const conditions = [
    ...(places.length === 0 ? [] : [sql<boolean>`${row('repository_id')} = place.id`]),
    ...(scope.kind === 'attempt'
      ? [sql<boolean>`${row('run_id')} = ${scope.runId} and ${row('attempt')} = ${scope.attempt}`]
      : []),
    ...(statuses === null ? [] : [sql<boolean>`${row('status')} = asked.status`]),
    ...wanted,
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const part = sql`select ${row('id')} from ${sql.table(table)} ${where}
    order by ${row(key)} ${sql.raw(order)} limit ${count}`
  if (parts.length === 0) return sql`select part.id from (${part}) as part`
  return sql`select part.id from ${sql.join(parts, sql` cross join `)} cross join lateral (${part}) as part`
}

function placesOf(scope: Scope): RawBuilder<unknown>[] {
  if (scope.kind === 'repository') return [sql`(values (${scope.id}::bigint)) as place (id)`]
  if (scope.kind !== 'owner') return []
  const isRead =
    scope.readerOf === null ? sql<boolean>`true` : isReadableTo({ actor: scope.readerOf }, 'actions')
  return [
    sql`(select repository.id from repository where repository.owner_id = ${scope.id} and ${isRead}) as place`,
  ]
}
