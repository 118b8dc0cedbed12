/** SQL on notifications. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import { mayBeNotifiedBy } from '#domains/people/users'
import { CUSTOM_PLAN, type Db, type Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { Reason, Status, ThreadRow } from './tables.ts'

export interface News {
  readonly repositoryId: number
  /** null: about the repository. */
  readonly issueId: number | null
  /** Not notified of their own act unless `tellsActor`. */
  readonly actorId: number
  readonly tellsActor: boolean
  /** Named users, and the reason to store for them. */
  readonly named: readonly number[]
  readonly namedAs: Reason
  readonly at: Date
  readonly receivers: readonly RawBuilder<{ id: number }>[]
  /** A condition on `account`. */
  readonly mayRead: RawBuilder<boolean>
}

/**
 * Notifies all users in one statement, ordered by account id so that concurrent statements cannot deadlock. Read
 * threads become unread; pinned ones stay pinned. A named user's reason is kept until the thread is read.
 */
export function insertNews(news: News): RawBuilder<{ user_id: number }> {
  const { repositoryId, issueId, actorId, at, receivers, tellsActor } = news
  const thread =
    issueId === null
      ? sql`(user_id, repository_id) where issue_id is null`
      : sql`(user_id, issue_id) where issue_id is not null`
  return sql<{
    user_id: number
  }>`insert into notification (user_id, repository_id, issue_id, status, reason, created_at, updated_at)
    select account.id, ${repositoryId}, ${issueId}, 'unread', ${reasonOf(news)}, ${at}, ${at} from account
    where account.id in (${sql.join(
      receivers.map((ids) => sql`(${ids})`),
      sql` union `,
    )})
      and (account.id <> ${actorId} or ${tellsActor}::boolean) and account.kind = 'user' and ${mayBeNotifiedBy(actorId)} and ${news.mayRead}
    order by account.id
    on conflict ${thread} do update set updated_at = excluded.updated_at,
      status = case notification.status when 'read' then 'unread' else notification.status end,
      reason = case when notification.status = 'unread' and notification.reason in (${NAMING})
        and excluded.reason not in (${NAMING}) then notification.reason else excluded.reason end
    returning user_id ${CUSTOM_PLAN}`
}

const NAMING = sql.join([sql.lit('mentioned'), sql.lit('assigned'), sql.lit('review_requested')])

/** The user's relation to the issue, unless the event names them. */
function reasonOf({ issueId, named, namedAs }: News): RawBuilder<Reason> {
  return sql<Reason>`case when account.id = any(${[...named]}::bigint[]) then ${namedAs}::text
    when ${issueId}::bigint is null then ${namedAs}::text
    when account.id in (select author_id from issue where id = ${issueId}) then 'author'
    when account.id in (select user_id from issue_assignee where issue_id = ${issueId}) then 'assigned'
    when account.id in (select user_id from issue_reviewer where issue_id = ${issueId} and is_requested)
      then 'review_requested'
    when account.id in (select author_id from issue_comment
      where issue_id = ${issueId} and kind in ('comment', 'code', 'review')) then 'commented'
    when account.id in (select user_id from issue_subscription where issue_id = ${issueId} and is_subscribed)
      then 'subscribed'
    else 'watching' end`
}

/** Reasons of a user's own threads. */
export async function findReasons(
  db: Db,
  userId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Reason>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('notification')
    .select(['id', 'reason'])
    .where('id', 'in', [...ids])
    .where('user_id', '=', userId)
    .execute()
  return new Map(rows.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason] as const])))
}

export interface ThreadFilter {
  readonly userId: number
  readonly repositoryId: number | null
  /** Empty: any. */
  readonly statuses: readonly Status[]
  /** Empty: any. */
  readonly subjects: readonly SubjectKind[]
  readonly since: Date | null
  readonly before: Date | null
}
export const SUBJECT_KINDS = ['issue', 'pull', 'commit', 'repository'] as const
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

/** Latest first. Custom plan: the best index depends on the filters. */
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

/** There are no notifications about commits. */
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
  const counted = await UNREAD.first(db, { userId })
  return counted?.unread ?? 0
}

const UNREAD = new Statement((db: Db, { userId }: { userId: number }) =>
  db
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('user_id', '=', userId)
    .where('status', '=', 'unread'),
)

/** Unread counts; users without unread threads are not included. */
export function selectUnreadOf(db: Db, userIds: readonly number[]) {
  return db
    .selectFrom('notification')
    .select(['user_id', (eb) => eb.fn.countAll<number>().as('unread')])
    .where('user_id', '=', sql<number>`any(${[...userIds]}::bigint[])`)
    .where('status', '=', 'unread')
    .groupBy('user_id')
}

export function markThread(
  tx: Tx,
  id: number,
  change: { status: Status; updated_at: Date },
): Promise<ThreadRow | undefined> {
  return tx.updateTable('notification').set(change).where('id', '=', id).returningAll().executeTakeFirst()
}

/** Marks an unread thread as read, if it is not newer; true if it was. Pinned threads stay pinned. */
export async function readIssue(tx: Tx, userId: number, issueId: number, seenAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('notification')
    .set({ status: 'read' })
    .where('user_id', '=', userId)
    .where('issue_id', '=', issueId)
    .where('status', '=', 'unread')
    .where('updated_at', '<=', seenAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Marks all matching threads, in the order of ids so that concurrent calls cannot deadlock. */
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

/** Latest first. */
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
