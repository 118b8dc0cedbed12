/** Notifies users in the consumer's transaction: in threads, live and by mail. */

import { findPlace, isReaderOf } from '#domains/code/repositories'
import { isMailOn } from '#domains/instance/mail'
import { type IssueEvent, isDraft } from '#domains/work/issues'
import type { EventMeta } from '#events/consumer'
import type { TxContext } from '#platform/context'
import { hintJob } from '#platform/queue'
import { hintPeople } from './live/hints.ts'
import { insertMails, MAIL_JOB, type MailOrder } from './mail/store.ts'
import { concernedBy, these } from './receivers.ts'
import { insertNews, type News } from './store.ts'
import type { MailKind } from './tables.ts'

/** Who is notified of an event of an issue or pull request, and how. */
export interface Telling {
  readonly kind: MailKind
  /** All concerned users, not only the named ones. */
  readonly concernsAll: boolean
  /** Named users. */
  readonly named?: readonly number[]
  /** Named users are notified also of their own act. */
  readonly tellsActor?: boolean
  readonly commentId?: number
}

export async function tell(
  ctx: TxContext,
  event: IssueEvent,
  { at }: EventMeta,
  telling: Telling,
): Promise<void> {
  const place = await findPlace(ctx.db, event.repository_id)
  const issue = await holdIssue(ctx, event.issue_id)
  // A deleted issue or repository notifies no one.
  if (place === undefined || issue === undefined) return
  const { kind, concernsAll, named = [], commentId = null, tellsActor = false } = telling
  // Compat: watchers are notified of a new draft, and then not until it is ready.
  const withWatchers = kind === 'created' || !(issue.is_pull && isDraft(issue))
  const concerned = concernedBy(event.issue_id, event.repository_id, { withWatchers })
  await spread(
    ctx,
    { kind, named, commentId },
    {
      repositoryId: place.id,
      issueId: event.issue_id,
      actorId: event.actor_id,
      tellsActor,
      named,
      namedAs: kind === 'assigned' || kind === 'review_requested' ? kind : 'mentioned',
      at,
      receivers: [...(concernsAll ? [concerned] : []), these(named)],
      mayRead: isReaderOf(place, event.is_pull ? 'pulls' : 'issues'),
    },
  )
}

/** Inserts threads, and mails if mail is enabled. */
export async function spread(
  ctx: TxContext,
  how: Pick<MailOrder, 'kind' | 'named' | 'commentId'>,
  news: News,
): Promise<void> {
  const { rows } = await insertNews(news).execute(ctx.db)
  hintPeople(
    ctx,
    rows.map(({ user_id }) => user_id),
  )
  const { commentId } = how
  if (!isMailOn(ctx.config) || (commentId !== null && !(await holdsComment(ctx, commentId)))) return
  await insertMails(ctx, { ...news, ...how, attemptsMax: ctx.config['jobs.attempts_max'] }).execute(ctx.db)
  hintJob(ctx, MAIL_JOB)
}

/** Locked against deletion until all notifications are inserted. */
function holdIssue(ctx: TxContext, id: number) {
  return ctx.db
    .selectFrom('issue')
    .select(['is_pull', 'title'])
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
}

async function holdsComment(ctx: TxContext, id: number): Promise<boolean> {
  const comments = ctx.db.selectFrom('issue_comment').select('id').where('id', '=', id)
  return (await comments.forKeyShare().executeTakeFirst()) !== undefined
}
