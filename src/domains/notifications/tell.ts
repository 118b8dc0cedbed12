/** What people are told of, by nobody's request: one consumer for each event, in whose transaction all are told. */

import { sql } from 'kysely'
import type { IssueEvent } from '#domains/issues'
import { findPlace, isReaderOf } from '#domains/repositories'
import { type Consumer, consumer, type EventMeta } from '#events/consumer'
import type { TxContext } from '#platform/context'
import { concernedBy, takersFor, these } from './receivers.ts'
import { insertNews, type News } from './store.ts'

type Ids = News['receivers'][number]

async function tell(
  ctx: TxContext,
  event: IssueEvent,
  { at }: EventMeta,
  receivers: readonly Ids[],
): Promise<void> {
  const place = await findPlace(ctx.db, event.repository_id)
  // What is gone concerns nobody any more.
  if (place === undefined || !(await isThere(ctx, event.issue_id))) return
  await insertNews({
    repositoryId: place.id,
    issueId: event.issue_id,
    actorId: event.actor_id,
    at,
    receivers,
    mayRead: isReaderOf(place, event.is_pull ? 'pulls' : 'issues'),
  }).execute(ctx.db)
}

/** It stays until everybody was told. */
async function isThere(ctx: TxContext, issueId: number): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('issue')
    .select('id')
    .where('id', '=', issueId)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

const concerned = (event: IssueEvent) => concernedBy(event.issue_id, event.repository_id)

export const notificationConsumers: readonly Consumer[] = [
  consumer('notify-issue-created', 'issue.created', (ctx, event, told) =>
    tell(ctx, event, told, [concerned(event), these(event.mentions)]),
  ),
  consumer('notify-issue-commented', 'issue.commented', (ctx, event, told) =>
    tell(ctx, event, told, [concerned(event), these(event.mentions)]),
  ),
  consumer('notify-issue-closed', 'issue.closed', (ctx, event, told) =>
    tell(ctx, event, told, [concerned(event)]),
  ),
  consumer('notify-issue-reopened', 'issue.reopened', (ctx, event, told) =>
    tell(ctx, event, told, [concerned(event)]),
  ),
  consumer('notify-issue-assigned', 'issue.assigned', (ctx, event, told) =>
    tell(ctx, event, told, [these([event.assignee_id])]),
  ),
  consumer('notify-repository-offered', 'repository.offered', async (ctx, event, { at }) => {
    const place = await findPlace(ctx.db, event.repository_id)
    if (place === undefined) return
    await insertNews({
      repositoryId: place.id,
      issueId: null,
      actorId: event.actor_id,
      at,
      receivers: [takersFor(event.recipient_id)],
      // Whoever it is offered to may look at it.
      mayRead: sql<boolean>`true`,
    }).execute(ctx.db)
  }),
]
