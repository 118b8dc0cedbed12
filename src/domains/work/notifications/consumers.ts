/** Notifies users of events: one consumer for each event, all users in its transaction. */
import { sql } from 'kysely'
import { findPlace } from '#domains/code/repositories'
import { listTeamMemberIds } from '#domains/people/orgs'
import type { IssueEvent } from '#domains/work/issues'
import { type Consumer, consumer } from '#events/consumer'
import type { TxContext } from '#platform/context'
import { takersFor } from './receivers.ts'
import { spread, tell } from './tell.ts'

const REVIEWS = { approve: 'approved', reject: 'rejected', comment: 'reviewed' } as const

export const notificationConsumers: readonly Consumer[] = [
  consumer('notify-issue-created', 'issue.created', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'created', concernsAll: true, named: event.mentions }),
  ),
  consumer('notify-issue-commented', 'issue.commented', (ctx, event, meta) =>
    tell(ctx, event, meta, {
      kind: 'commented',
      concernsAll: true,
      named: event.mentions,
      commentId: event.comment_id,
    }),
  ),
  consumer('notify-issue-closed', 'issue.closed', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'closed', concernsAll: true }),
  ),
  consumer('notify-issue-reopened', 'issue.reopened', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'reopened', concernsAll: true }),
  ),
  consumer('notify-issue-assigned', 'issue.assigned', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'assigned', concernsAll: false, named: [event.assignee_id] }),
  ),
  consumer('notify-pull-pushed', 'pull.synchronized', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'pushed', concernsAll: true }),
  ),
  consumer('notify-pull-ready', 'pull.ready', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'ready', concernsAll: true }),
  ),
  consumer('notify-pull-merged', 'pull.merged', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'merged', concernsAll: true }),
  ),
  consumer('notify-review-requested', 'review.requested', async (ctx, event, meta) => {
    if (event.is_removed) return
    const named =
      event.team_id === null ? [event.user_id ?? 0] : await findTeamReviewers(ctx, event, event.team_id)
    // Compat: notifies also the requester who requested their own review.
    await tell(ctx, event, meta, { kind: 'review_requested', concernsAll: false, named, tellsActor: true })
  }),
  consumer('notify-review-submitted', 'review.submitted', (ctx, event, meta) =>
    tell(ctx, event, meta, {
      kind: REVIEWS[event.kind],
      concernsAll: true,
      named: event.mentions,
      commentId: event.comment_id,
    }),
  ),
  consumer('notify-review-dismissed', 'review.dismissed', (ctx, event, meta) =>
    tell(ctx, event, meta, { kind: 'review_dismissed', concernsAll: true }),
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
        tellsActor: false,
        named: [],
        namedAs: 'offered',
        at,
        receivers: [takersFor(event.recipient_id)],
        // The recipient of an offer may see the repository.
        mayRead: sql<boolean>`true`,
      },
    )
  }),
]

/** The members of a team, except the author of the pull request. */
async function findTeamReviewers(
  ctx: TxContext,
  { issue_id }: IssueEvent,
  teamId: number,
): Promise<number[]> {
  const issue = await ctx.db
    .selectFrom('issue')
    .select('author_id')
    .where('id', '=', issue_id)
    .executeTakeFirst()
  return (await listTeamMemberIds(ctx.db, teamId)).filter((id) => id !== issue?.author_id)
}
