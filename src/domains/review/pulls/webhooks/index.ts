/** Webhook events of pull requests, including those of their issues. */
import type { IssueEvent } from '#domains/work/issues'
import { type Webhook, type WebhookEvent, webhook, webhookEvent } from '#slices'
import { commentPayload } from './comment.ts'
import { assignPayload, labelPayload, milestonePayload, pullPayload, syncPayload } from './pull.ts'

export const pullsWebhooks: readonly Webhook[] = [
  webhook('pull.opened', [pullPayload], async (_ctx, event) => [
    webhookEvent(pullPayload, { ...placeOf(event), action: 'opened' }),
  ]),
  webhook('issue.edited', [pullPayload], async (_ctx, { old_title, old_body, ...event }) => {
    const edited = { ...placeOf(event), action: 'edited' as const }
    const titled = old_title === null ? [] : [{ ...edited, old_title }]
    const rewritten = old_body === null ? [] : [{ ...edited, old_body }]
    // Compat: changes of title and body are sent as two deliveries; a new attachment is sent as a change of the body.
    const texts = [...titled, ...rewritten]
    const told = texts.length === 0 ? [edited] : texts
    return ifPull(event, ...told.map((facts) => webhookEvent(pullPayload, facts)))
  }),
  webhook('pull.retargeted', [pullPayload], async (_ctx, event) => [
    webhookEvent(pullPayload, { ...placeOf(event), action: 'edited', old_base: event.old_base }),
  ]),
  webhook('issue.closed', [pullPayload], async (_ctx, event) =>
    ifPull(
      event,
      webhookEvent(pullPayload, { ...placeOf(event), action: 'closed', commit_id: event.commit }),
    ),
  ),
  webhook('issue.reopened', [pullPayload], async (_ctx, event) =>
    ifPull(
      event,
      webhookEvent(pullPayload, { ...placeOf(event), action: 'reopened', commit_id: event.commit }),
    ),
  ),
  // Compat: a merge is sent as `closed`; the pull request's record says that it is merged.
  webhook('pull.merged', [pullPayload], async (_ctx, event) => [
    webhookEvent(pullPayload, { ...placeOf(event), action: 'closed' }),
  ]),
  webhook('pull.deleted', [pullPayload], async (_ctx, event) => [
    webhookEvent(pullPayload, { ...placeOf(event), action: 'deleted', pull: event.pull }),
  ]),
  webhook('pull.synchronized', [syncPayload], async (_ctx, { before, after, ...event }) => [
    webhookEvent(syncPayload, { ...placeOf(event), action: 'synchronized', before, after }),
  ]),
  webhook('issue.assigned', [assignPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(assignPayload, { ...placeOf(event), action: 'assigned' })),
  ),
  webhook('issue.unassigned', [assignPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(assignPayload, { ...placeOf(event), action: 'unassigned' })),
  ),
  webhook('issue.labeled', [labelPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(labelPayload, { ...placeOf(event), action: 'label_updated' })),
  ),
  webhook('issue.labels_cleared', [labelPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(labelPayload, { ...placeOf(event), action: 'label_cleared' })),
  ),
  webhook('issue.milestoned', [milestonePayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(milestonePayload, { ...placeOf(event), action: 'milestoned' })),
  ),
  webhook('issue.demilestoned', [milestonePayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(milestonePayload, { ...placeOf(event), action: 'demilestoned' })),
  ),
  webhook('issue.commented', [commentPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(commentPayload, { ...event, action: 'created' })),
  ),
  webhook('issue.comment_edited', [commentPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(commentPayload, { ...event, action: 'edited' })),
  ),
  webhook('issue.comment_deleted', [commentPayload], async (_ctx, event) =>
    ifPull(event, webhookEvent(commentPayload, { ...event, action: 'deleted' })),
  ),
]

function placeOf({ repository_id, number, actor_id }: IssueEvent) {
  return { repository_id, number, actor_id }
}

function ifPull<E extends WebhookEvent>({ is_pull }: IssueEvent, ...events: readonly E[]): readonly E[] {
  return is_pull ? events : []
}
