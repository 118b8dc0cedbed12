/** SQL on tracked times. Reads take any handle; writes take a transaction. */
import { isVisibleTo } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import type { NewTrackedTimeRow, TrackedTimeRow } from '../tables.ts'
import type { Span } from '../timeline/store.ts'

/** Of one issue, or of all issues of a repository; null: any. */
export interface TimeFilter extends Span {
  readonly in: { readonly issue_id: number } | { readonly repository_id: number }
  readonly userId: number | null
  readonly isPull: boolean | null
}

export function insertTime(tx: Tx, row: NewTrackedTimeRow): Promise<TrackedTimeRow> {
  return tx.insertInto('tracked_time').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Also if deleted. */
export function findTime(db: Db, issueId: number, id: number): Promise<TrackedTimeRow | undefined> {
  return db
    .selectFrom('tracked_time')
    .selectAll()
    .where('id', '=', id)
    .where('issue_id', '=', issueId)
    .executeTakeFirst()
}

/** Also deleted ones. */
export function findTimes(db: Db, ids: readonly number[]): Promise<TrackedTimeRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('tracked_time')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
}

/** All times of a user on an issue, or one of them. Returns those that were not deleted before. */
export function markDeleted(
  tx: Tx,
  which: { readonly issue_id: number; readonly user_id: number; readonly id?: number },
  now: Date,
): Promise<Pick<TrackedTimeRow, 'seconds'>[]> {
  let times = tx
    .updateTable('tracked_time')
    .set({ deleted_at: now })
    .where('issue_id', '=', which.issue_id)
    .where('user_id', '=', which.user_id)
    .where('deleted_at', 'is', null)
  if (which.id !== undefined) times = times.where('id', '=', which.id)
  return times.returning('seconds').execute()
}

/** In the order of insertion. */
export function selectTimes(db: Db, filter: TimeFilter) {
  const { userId, since, before, isPull } = filter
  let times = db.selectFrom('tracked_time').where('tracked_time.deleted_at', 'is', null)
  times =
    'issue_id' in filter.in
      ? times.where('tracked_time.issue_id', '=', filter.in.issue_id)
      : times.where('tracked_time.repository_id', '=', filter.in.repository_id)
  if (userId !== null) times = times.where('tracked_time.user_id', '=', userId)
  if (since !== null) times = times.where('tracked_time.created_at', '>=', since)
  if (before !== null) times = times.where('tracked_time.created_at', '<=', before)
  if (isPull !== null)
    times = times.where((eb) =>
      eb.exists(
        eb
          .selectFrom('issue')
          .select('issue.id')
          .whereRef('issue.id', '=', 'tracked_time.issue_id')
          .where('issue.is_pull', '=', isPull),
      ),
    )
  return times.selectAll('tracked_time').orderBy('tracked_time.id')
}

/** A user's times in all repositories that the caller may see. */
export function selectOwnTimes(ctx: Context, userId: number, { since, before }: Span) {
  let times = ctx.db
    .selectFrom('tracked_time')
    .innerJoin('repository', 'repository.id', 'tracked_time.repository_id')
    .where('tracked_time.user_id', '=', userId)
    .where('tracked_time.deleted_at', 'is', null)
    .where(isVisibleTo(ctx))
  if (since !== null) times = times.where('tracked_time.created_at', '>=', since)
  if (before !== null) times = times.where('tracked_time.created_at', '<=', before)
  return times.selectAll('tracked_time').orderBy('tracked_time.id')
}
