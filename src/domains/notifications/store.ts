/** SQL on notifications. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import { hearsOf } from '#domains/users'
import { CUSTOM_PLAN, type Db, type Tx } from '#platform/db'
import type { Status, ThreadRow } from './tables.ts'

export interface News {
  readonly repositoryId: number
  /** None: it is about the repository. */
  readonly issueId: number | null
  /** Not told of their own act, unless it is about themselves. */
  readonly actorId: number
  readonly tellsActor: boolean
  readonly at: Date
  readonly receivers: readonly RawBuilder<{ id: number }>[]
  /** A condition on `account`. */
  readonly mayRead: RawBuilder<boolean>
}

/**
 * Everybody is told in one statement, in the order of accounts, so that two of them do not wait for each other. What was
 * read is unread again; what is pinned stays so.
 */
export function insertNews(news: News): RawBuilder<{ user_id: number }> {
  const { repositoryId, issueId, actorId, at, receivers, tellsActor } = news
  const thread =
    issueId === null
      ? sql`(user_id, repository_id) where issue_id is null`
      : sql`(user_id, issue_id) where issue_id is not null`
  return sql<{
    user_id: number
  }>`insert into notification (user_id, repository_id, issue_id, status, created_at, updated_at)
    select account.id, ${repositoryId}, ${issueId}, 'unread', ${at}, ${at} from account
    where account.id in (${sql.join(
      receivers.map((ids) => sql`(${ids})`),
      sql` union `,
    )})
      and (account.id <> ${actorId} or ${tellsActor}::boolean) and account.kind = 'user' and ${hearsOf(actorId)} and ${news.mayRead}
    order by account.id
    on conflict ${thread} do update set updated_at = excluded.updated_at,
      status = case notification.status when 'read' then 'unread' else notification.status end
    returning user_id ${CUSTOM_PLAN}`
}

export interface ThreadFilter {
  readonly userId: number
  readonly repositoryId: number | null
  /** Empty: whatever it is. */
  readonly statuses: readonly Status[]
  /** Kinds of subjects; empty: whatever it is. */
  readonly subjects: readonly SubjectKind[]
  readonly since: Date | null
  readonly before: Date | null
}
export const SUBJECT_KINDS = ['issue', 'pull', 'commit', 'repository'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

/** The latest first. Custom plan: which index is best depends on what is asked for. */
export function selectThreads(db: Db, filter: ThreadFilter) {
  let threads = db
    .selectFrom('notification')
    .selectAll()
    .where('user_id', '=', filter.userId)
    .modifyEnd(CUSTOM_PLAN)
  if (filter.repositoryId !== null) threads = threads.where('repository_id', '=', filter.repositoryId)
  if (filter.statuses.length > 0) threads = threads.where('status', 'in', [...filter.statuses])
  if (filter.subjects.length > 0) threads = threads.where(isAbout(filter.subjects))
  if (filter.since !== null) threads = threads.where('updated_at', '>=', filter.since)
  if (filter.before !== null) threads = threads.where('updated_at', '<=', filter.before)
  return threads.orderBy('updated_at', 'desc').orderBy('id', 'desc')
}

/** Nobody is told of commits. */
function isAbout(subjects: readonly SubjectKind[]): RawBuilder<boolean> {
  const isPull = [
    ...(subjects.includes('issue') ? [false] : []),
    ...(subjects.includes('pull') ? [true] : []),
  ]
  return sql<boolean>`(exists (select 1 from issue where issue.id = notification.issue_id
      and issue.is_pull = any(${isPull}::boolean[]))
    or (${subjects.includes('repository')}::boolean and notification.issue_id is null))`
}

export function findThread(db: Db, id: number): Promise<ThreadRow | undefined> {
  return db.selectFrom('notification').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function countUnread(db: Db, userId: number): Promise<number> {
  const { unread } = await db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('user_id', '=', userId)
    .where('status', '=', 'unread')
    .executeTakeFirstOrThrow()
  return unread
}

/** How many each of some people has not read; who has read all is not in it. */
export function selectUnreadOf(db: Db, userIds: readonly number[]) {
  return db
    .selectFrom('notification')
    .select(['user_id', (eb) => eb.fn.countAll<number>().as('unread')])
    .where('user_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .where('status', '=', 'unread')
    .groupBy('user_id')
}

/** When each of some issues was last changed. */
export async function findChangeTimes(db: Db, issueIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('issue')
    .select(['id', 'updated_at'])
    .where('id', '=', sql<number>`any(${[...issueIds]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at.getTime()]))
}

export function markThread(
  tx: Tx,
  id: number,
  change: { status: Status; updated_at: Date },
): Promise<ThreadRow | undefined> {
  return tx.updateTable('notification').set(change).where('id', '=', id).returningAll().executeTakeFirst()
}

/** All that are asked for, in the order of their numbers, so that two who do it do not wait for each other. */
export async function markThreads(
  tx: Tx,
  filter: ThreadFilter,
  change: { status: Status; updated_at: Date },
): Promise<number[]> {
  const wanted = await selectThreads(tx, filter)
    .clearSelect()
    .clearOrderBy()
    .select('id')
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = wanted.map(({ id }) => id)
  if (ids.length > 0) await tx.updateTable('notification').set(change).where('id', 'in', ids).execute()
  return ids
}

/** Those of some, the latest first. */
export function findThreads(db: Db, ids: readonly number[], most: number): Promise<ThreadRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('notification')
    .selectAll()
    .where('id', 'in', [...ids])
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}
