/** Inserts tracked times of imported issues and dependencies between them. Writes no timeline entries. */
import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import { lockGraph, REACHED_MAX, selectReach } from '../dependencies/store.ts'

export interface ImportedTime {
  readonly number: number
  readonly user_id: number
  readonly seconds: number
  readonly created_at: Date
}

/** An issue of an imported repository. */
export interface ImportedEnd {
  readonly repository_id: number
  readonly number: number
}

export interface ImportedDependency {
  readonly blocked: ImportedEnd
  readonly blocker: ImportedEnd
}

export interface FoundIssue {
  readonly id: number
  readonly is_pull: boolean
  readonly is_closed: boolean
}

export async function findIssuesByNumber(
  tx: Tx,
  repositoryId: number,
  numbers: readonly number[],
): Promise<Map<number, FoundIssue>> {
  const rows = await tx
    .selectFrom('issue')
    .select(['id', 'number', 'is_pull', 'is_closed'])
    .where('repository_id', '=', repositoryId)
    .where('number', '=', sql<number>`any(${[...numbers]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ number, ...issue }) => [number, issue]))
}

/** Returns how many were inserted: times of issues that were not imported are skipped. */
export async function insertImportedTimes(
  { db }: TxContext,
  repositoryId: number,
  times: readonly ImportedTime[],
): Promise<number> {
  const numbers = times.map(({ number }) => number)
  const found = await findIssuesByNumber(db, repositoryId, numbers)
  const rows = times.flatMap(({ number, ...time }) => {
    const issue = found.get(number)
    return issue === undefined ? [] : [{ ...time, issue_id: issue.id, repository_id: repositoryId }]
  })
  if (rows.length > 0) await db.insertInto('tracked_time').values(rows).execute()
  return rows.length
}

/**
 * Returns how many were inserted: those of issues that were not imported are skipped. The caller knows that they have no
 * circle among each other.
 */
export async function insertImportedDependencies(
  ctx: TxContext,
  dependencies: readonly ImportedDependency[],
): Promise<number> {
  const { rows } = await sql<{ blocker_id: number }>`
    insert into issue_dependency (blocker_id, blocked_id, created_at)
    select blocker.id, blocked.id, ${ctx.now()} from ${given(dependencies)}
    join issue as blocker on blocker.repository_id = blocker_repository and blocker.number = blocker_number
    join issue as blocked on blocked.repository_id = blocked_repository and blocked.number = blocked_number
    on conflict do nothing returning blocker_id`.execute(ctx.db)
  return rows.length
}

/** For dependencies between repositories, of which others may be in use: the lock is held until the transaction ends. */
export async function holdDependencies({ db }: TxContext): Promise<void> {
  await lockGraph(db)
}

/** The caller holds the dependencies. People may have added others between repositories that are there already. */
export async function assertNoCircle(
  { db }: TxContext,
  dependencies: readonly ImportedDependency[],
): Promise<void> {
  const { rows } = await sql<{ seen: number; is_reached: boolean }>`
    select found.* from ${given(dependencies)}
    join issue as blocker on blocker.repository_id = blocker_repository and blocker.number = blocker_number
    join issue as blocked on blocked.repository_id = blocked_repository and blocked.number = blocked_number
    cross join lateral (${selectReach(sql.ref('blocked.id'), sql.ref('blocker.id'))}) as found`.execute(db)
  if (rows.some(({ seen, is_reached }) => is_reached || seen > REACHED_MAX))
    throw new Problem('conflict', 'dependencies between repositories would be circular')
}

function given(dependencies: readonly ImportedDependency[]) {
  const column = (of: (it: ImportedDependency) => number) => dependencies.map(of)
  return sql`unnest(${column(({ blocker }) => blocker.repository_id)}::bigint[],
      ${column(({ blocker }) => blocker.number)}::bigint[],
      ${column(({ blocked }) => blocked.repository_id)}::bigint[],
      ${column(({ blocked }) => blocked.number)}::bigint[])
    as given (blocker_repository, blocker_number, blocked_repository, blocked_number)`
}
