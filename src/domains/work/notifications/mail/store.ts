/** SQL on mail to be sent. Reads take any handle; writes take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import { isReaderOf } from '#domains/code/repositories'
import { mayBeNotifiedBy } from '#domains/people/users'
import type { Context } from '#platform/context'
import { CUSTOM_PLAN, type Db, type Tx } from '#platform/db'
import { insertJobsFrom } from '#platform/queue'
import { takersFor } from '../receivers.ts'
import type { MailKind } from '../tables.ts'

export const MAIL_JOB = 'notification-mail'

export interface MailOrder {
  readonly kind: MailKind
  readonly repositoryId: number
  readonly issueId: number | null
  readonly commentId: number | null
  readonly actorId: number
  readonly at: Date
  readonly receivers: readonly RawBuilder<{ id: number }>[]
  /** Users who are named, for `onmention`. */
  readonly named: readonly number[]
  /** A condition on `account`. */
  readonly mayRead: RawBuilder<boolean>
  readonly attemptsMax: number
}

/** One row and one job per receiver, in one statement. */
export function insertMails(ctx: Pick<Context, 'telemetry'>, order: MailOrder): RawBuilder<unknown> {
  const { kind, repositoryId, issueId, commentId, actorId, at, receivers } = order
  const isPersonal = sql<boolean>`account.id = any(${[...order.named]}::bigint[])`
  return sql`with mail as (
      insert into notification_mail (user_id, repository_id, issue_id, comment_id, kind, actor_id, is_personal,
        created_at)
      select account.id, ${repositoryId}, ${issueId}, ${commentId}, ${kind}, ${actorId}, ${isPersonal}, ${at}
      from account where account.id in (${sql.join(
        receivers.map((ids) => sql`(${ids})`),
        sql` union `,
      )})
        and ${isMailedOf(actorId, isPersonal)} and ${order.mayRead}
      order by account.id returning id)
    ${insertJobsFrom(
      ctx,
      sql`select ${MAIL_JOB}, '', json_build_object('mail_id', id), ${order.attemptsMax}::int from mail`,
    )} ${CUSTOM_PLAN}`
}

/** A condition on `account`: the user's settings allow mail about this actor's act. */
function isMailedOf(actorId: number, isPersonal: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`(account.kind = 'user' and ${mayBeNotifiedBy(actorId)}
    and case account.email_notifications
      when 'enabled' then account.id <> ${actorId}
      when 'onmention' then account.id <> ${actorId} and ${isPersonal}
      when 'andyourown' then true
      else false end
    and exists (select 1 from account_email where account_email.account_id = account.id
      and account_email.is_primary and account_email.is_verified))`
}

/** The mail with current data; undefined if it was sent, or its issue or comment is deleted. */
export function findMail(db: Db, id: number) {
  return db
    .selectFrom('notification_mail as mail')
    .innerJoin('repository', 'repository.id', 'mail.repository_id')
    .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
    .leftJoin('account as actor', 'actor.id', 'mail.actor_id')
    .leftJoin('issue', 'issue.id', 'mail.issue_id')
    .leftJoin('issue_comment', 'issue_comment.id', 'mail.comment_id')
    .leftJoin('repository_transfer', 'repository_transfer.repository_id', 'repository.id')
    .select(['mail.id', 'mail.kind', 'mail.user_id', 'mail.actor_id', 'mail.is_personal', 'mail.created_at'])
    .select(['mail.begun_at', 'mail.issue_id', 'mail.comment_id', 'mail.repository_id'])
    .select(['repository.name', 'repository.owner_id', 'repository.units', 'repository.audience'])
    .select([
      'repository.is_private',
      'repository.is_quarantined',
      'owner.login as owner',
      'repository_transfer.recipient_id',
    ])
    .select(['actor.login as actor_login', 'actor.full_name as actor_name'])
    .select(['issue.number', 'issue.title', 'issue.is_pull', 'issue.body', 'issue_comment.body as comment'])
    .where('mail.id', '=', id)
    .executeTakeFirst()
}
export type FoundMail = NonNullable<Awaited<ReturnType<typeof findMail>>>

/** undefined if the user may not read it any more, or wants no mail about it. */
export async function findReceiver(
  db: Db,
  mail: FoundMail,
): Promise<{ login: string; full_name: string; email: string } | undefined> {
  const isUnsubscribed = sql<boolean>`exists (select 1 from issue_subscription
    where issue_id = ${mail.issue_id} and user_id = account.id and not is_subscribed)`
  return db
    .selectFrom('account')
    .innerJoin('account_email', 'account_email.account_id', 'account.id')
    .select(['account.login', 'account.full_name', 'account_email.email'])
    .where('account.id', '=', mail.user_id)
    .where('account_email.is_primary', '=', true)
    .where(isMailedOf(mail.actor_id ?? 0, sql<boolean>`${mail.is_personal}::boolean`))
    .where(mayReadNow(mail))
    .where(sql<boolean>`(${mail.is_personal}::boolean or not ${isUnsubscribed})`)
    .executeTakeFirst()
}

function mayReadNow(mail: FoundMail): RawBuilder<boolean> {
  if (mail.issue_id !== null)
    return isReaderOf({ ...mail, id: mail.repository_id }, mail.is_pull === true ? 'pulls' : 'issues')
  // The recipient of an offer may see the repository while the offer stands.
  if (mail.recipient_id === null) return sql<boolean>`false`
  return sql<boolean>`account.id in (${takersFor(mail.recipient_id)})`
}

/** False if another worker has begun. */
export async function beginMail(tx: Tx, id: number, now: Date): Promise<boolean> {
  const begun = await tx
    .updateTable('notification_mail')
    .set({ begun_at: now })
    .where('id', '=', id)
    .where('begun_at', 'is', null)
    .executeTakeFirst()
  return begun.numUpdatedRows === 1n
}

/** The server refused it, so that it may be sent again. */
export async function releaseMail(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('notification_mail').set({ begun_at: null }).where('id', '=', id).execute()
}

export async function deleteMail(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('notification_mail').where('id', '=', id).execute()
}
