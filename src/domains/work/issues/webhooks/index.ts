/** Webhook events of issues. Pull requests have their own types. */
import { type Webhook, type WebhookEvent, webhook, webhookEvent } from '#slices'
import type { IssueEvent } from '../events.ts'
import { commentPayload } from './comment.ts'
import { assignPayload, issuesPayload, labelPayload, milestonePayload } from './issue.ts'

export const issuesWebhooks: readonly Webhook[] = [
  webhook('issue.created', [issuesPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(issuesPayload, { ...event, action: 'opened' })),
  ),
  webhook('issue.edited', [issuesPayload], async (_ctx, { old_title, old_body, ...event }) => {
    const edited = { ...event, action: 'edited' as const }
    const titled = old_title === null ? [] : [{ ...edited, old_title }]
    const rewritten = old_body === null ? [] : [{ ...edited, old_body }]
    // Compat: changes of title and body are sent as two deliveries; a new attachment is sent as a change of the body.
    const texts = [...titled, ...rewritten]
    const told = texts.length === 0 ? [edited] : texts
    return unlessPull(event, ...told.map((facts) => webhookEvent(issuesPayload, facts)))
  }),
  webhook('issue.closed', [issuesPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(issuesPayload, { ...event, action: 'closed', commit_id: event.commit })),
  ),
  webhook('issue.reopened', [issuesPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(issuesPayload, { ...event, action: 'reopened', commit_id: event.commit })),
  ),
  webhook('issue.deleted', [issuesPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(issuesPayload, { ...event, action: 'deleted' })),
  ),
  webhook('issue.assigned', [assignPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(assignPayload, { ...event, action: 'assigned' })),
  ),
  webhook('issue.unassigned', [assignPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(assignPayload, { ...event, action: 'unassigned' })),
  ),
  webhook('issue.labeled', [labelPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(labelPayload, { ...event, action: 'label_updated' })),
  ),
  webhook('issue.labels_cleared', [labelPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(labelPayload, { ...event, action: 'label_cleared' })),
  ),
  webhook('issue.milestoned', [milestonePayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(milestonePayload, { ...event, action: 'milestoned' })),
  ),
  webhook('issue.demilestoned', [milestonePayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(milestonePayload, { ...event, action: 'demilestoned' })),
  ),
  webhook('issue.commented', [commentPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(commentPayload, { ...event, action: 'created' })),
  ),
  webhook('issue.comment_edited', [commentPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(commentPayload, { ...event, action: 'edited' })),
  ),
  webhook('issue.comment_deleted', [commentPayload], async (_ctx, event) =>
    unlessPull(event, webhookEvent(commentPayload, { ...event, action: 'deleted' })),
  ),
]

function unlessPull<E extends WebhookEvent>({ is_pull }: IssueEvent, ...events: readonly E[]): readonly E[] {
  return is_pull ? [] : events
}
