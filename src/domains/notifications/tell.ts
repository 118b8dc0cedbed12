/** What people are told of, by nobody's request: one consumer for each event, in whose transaction all are told. */

import { sql } from 'kysely'
import type { IssueEvent } from '#domains/issues'
import { isMailOn } from '#domains/mail'
import { findPlace, isReaderOf } from '#domains/repositories'
import { type Consumer, consumer, type EventMeta } from '#events/consumer'
import type { TxContext } from '#platform/context'
import { hintPeople } from './live/hints.ts'
import { insertMails, type MailOrder } from './mail/store.ts'
import { concernedBy, takersFor, these } from './receivers.ts'
import { insertNews, type News } from './store.ts'
import type { MailKind } from './tables.ts'

/** Who is told of an event, and how. */
interface Telling {
  readonly kind: MailKind
  readonly receivers: News['receivers']
  /** Whom it names. */
  readonly named?: readonly number[]
  readonly commentId?: number
}

async function tell(ctx: TxContext, event: IssueEvent, { at }: EventMeta, telling: Telling): Promise<void> {
  const place = await findPlace(ctx.db, event.repository_id)
  // What is gone concerns nobody any more.
  if (place === undefined || !(await isThere(ctx, 'issue', event.issue_id))) return
  const { kind, named = [], commentId = null } = telling
  await spread(
    ctx,
    { kind, named, commentId },
    {
      repositoryId: place.id,
      issueId: event.issue_id,
      actorId: event.actor_id,
      at,
      receivers: [...telling.receivers, these(named)],
      mayRead: isReaderOf(place, event.is_pull ? 'pulls' : 'issues'),
    },
  )
}

/** In threads, and by mail where it is on. */
async function spread(
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
  if (!isMailOn(ctx.config) || (commentId !== null && !(await isThere(ctx, 'issue_comment', commentId))))
    return
  await insertMails({ ...news, ...how, attemptsMax: ctx.config['jobs.attempts_max'] }).execute(ctx.db)
}

/** It stays until everybody was told. */
async function isThere(ctx: TxContext, table: 'issue' | 'issue_comment', id: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom(table)
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

const concerned = (event: IssueEvent) => concernedBy(event.issue_id, event.repository_id)

export const notificationConsumers: readonly Consumer[] = [
  consumer('notify-issue-created', 'issue.created', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'created', receivers: [concerned(event)], named: event.mentions }),
  ),
  consumer('notify-issue-commented', 'issue.commented', (ctx, event, meta) =>
    tell(ctx, event, meta, {
      kind: 'commented',
      receivers: [concerned(event)],
      named: event.mentions,
      commentId: event.comment_id,
    }),
  ),
  consumer('notify-issue-closed', 'issue.closed', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'closed', receivers: [concerned(event)] }),
  ),
  consumer('notify-issue-reopened', 'issue.reopened', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'reopened', receivers: [concerned(event)] }),
  ),
  consumer('notify-issue-assigned', 'issue.assigned', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'assigned', receivers: [], named: [event.assignee_id] }),
  ),
  consumer('notify-repository-offered', 'repository.offered', async (ctx, event, { at }) => {
    const place = await findPlace(ctx.db, event.repository_id)
    if (place === undefined) return
    await spread(
      ctx,
      { kind: 'offered', named: [], commentId: null },
      {
        repositoryId: place.id,
        issueId: null,
        actorId: event.actor_id,
        at,
        receivers: [takersFor(event.recipient_id)],
        // Whoever it is offered to may look at it.
        mayRead: sql<boolean>`true`,
      },
    )
  }),
]
