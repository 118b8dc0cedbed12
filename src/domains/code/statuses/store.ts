/** SQL on statuses. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type { State } from './combine.ts'
import type { NewStatusRow, StatusRow } from './tables.ts'

export interface Of {
  readonly repositoryId: number
  readonly oid: string
}

export function insertStatus(tx: Tx, row: NewStatusRow): Promise<StatusRow> {
  return tx.insertInto('commit_status').values(row).returningAll().executeTakeFirstOrThrow()
}

/** For webhooks, which run later. */
export function findStatus(db: Db, id: number): Promise<StatusRow | undefined> {
  return db.selectFrom('commit_status').selectAll().where('id', '=', id).executeTakeFirst()
}

export function selectStatuses(db: Db, of: Of, state: State | null) {
  const query = db
    .selectFrom('commit_status')
    .where('repository_id', '=', of.repositoryId)
    .where('oid', '=', of.oid)
  return state === null ? query : query.where('state', '=', state)
}

export function listStatuses(
  db: Db,
  of: Of,
  filter: { readonly state: State | null; readonly order: 'asc' | 'desc' },
  page: Page,
): Promise<Paged<StatusRow>> {
  return takePage(selectStatuses(db, of, filter.state).selectAll().orderBy('id', filter.order), page)
}

/** The newest status of each context, newest first. */
export async function listLatest(db: Db, of: Of): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`select * from (
      select distinct on (context) * from commit_status
      where repository_id = ${of.repositoryId} and oid = ${of.oid}
      order by context, id desc) as latest
    order by id desc`.execute(db)
  return rows
}

/** The latest states of many commits in one query, without the other columns. */
export function selectLatestStates(commits: readonly Of[]) {
  return sql<Of & { readonly state: State }>`select
      head.repository_id as "repositoryId", head.oid, latest.state
    from unnest(${commits.map((it) => it.repositoryId)}::bigint[], ${commits.map(({ oid }) => oid)}::text[])
      as head (repository_id, oid)
    cross join lateral (select distinct on (context) state from commit_status
      where commit_status.repository_id = head.repository_id and commit_status.oid = head.oid
      order by context, id desc) as latest`
}
