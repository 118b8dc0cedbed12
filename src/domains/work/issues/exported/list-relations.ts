/** SQL for exports: reactions, tracked times and dependencies of a whole repository, in pages by key. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { REACTIONS_MAX } from '../reactions/store.ts'
import type { ReactionRow, TrackedTimeRow } from '../tables.ts'

/** `table`: whose ids these are. */
export async function listReactions(
  db: Db,
  table: 'issues' | 'comments',
  ids: readonly number[],
): Promise<Map<number, ReactionRow[]>> {
  const target =
    table === 'issues' ? sql`issue_id = target.id and comment_id is null` : sql`comment_id = target.id`
  const { rows } = await sql<ReactionRow & { target_id: number }>`
    select target.id as target_id, found.* from unnest(${[...ids]}::bigint[]) as target (id)
    cross join lateral (
      select * from reaction where ${target} order by id limit ${REACTIONS_MAX}) as found
    order by found.id`.execute(db)
  return Map.groupBy(rows, ({ target_id }) => target_id)
}

/** Without deleted times. `after`: the id of the last one before. */
export function listTimes(
  db: Db,
  repositoryId: number,
  after: number,
  limit: number,
): Promise<(TrackedTimeRow & { readonly number: number })[]> {
  return db
    .selectFrom('tracked_time')
    .innerJoin('issue', 'issue.id', 'tracked_time.issue_id')
    .selectAll('tracked_time')
    .select('issue.number')
    .where('tracked_time.repository_id', '=', repositoryId)
    .where('tracked_time.deleted_at', 'is', null)
    .where('tracked_time.id', '>', after)
    .orderBy('tracked_time.id')
    .limit(limit)
    .execute()
}

export interface ListedDependency {
  readonly blocked_id: number
  readonly blocker_id: number
  readonly number: number
  readonly blocker_number: number
  readonly blocker_repository_id: number
}

/** Of blocked issues of the repository; their blockers may be elsewhere. */
export function listDependencies(
  db: Db,
  repositoryId: number,
  after: Pick<ListedDependency, 'blocked_id' | 'blocker_id'>,
  limit: number,
): Promise<ListedDependency[]> {
  return db
    .selectFrom('issue_dependency')
    .innerJoin('issue as blocked', 'blocked.id', 'issue_dependency.blocked_id')
    .innerJoin('issue as blocker', 'blocker.id', 'issue_dependency.blocker_id')
    .select([
      'issue_dependency.blocked_id',
      'issue_dependency.blocker_id',
      'blocked.number',
      'blocker.number as blocker_number',
      'blocker.repository_id as blocker_repository_id',
    ])
    .where('blocked.repository_id', '=', repositoryId)
    .where('blocked.id', '>=', after.blocked_id)
    .where(
      sql<boolean>`(issue_dependency.blocked_id, issue_dependency.blocker_id)
        > (${after.blocked_id}::bigint, ${after.blocker_id}::bigint)`,
    )
    .orderBy('issue_dependency.blocked_id')
    .orderBy('issue_dependency.blocker_id')
    .limit(limit)
    .execute()
}
