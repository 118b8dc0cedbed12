/** Webhooks of moved refs. */
import type { RefsMovedEvent } from '#domains/code/repositories'
import { HEADS, isZeroOid, TAGS } from '#git'
import { type Webhook, type WebhookEvent, webhook, webhookEvent } from '#slices'
import { pushPayload } from './push.ts'
import { createPayload, deletePayload } from './refs.ts'

export const contentsWebhooks: readonly Webhook[] = [
  webhook('refs.moved', [pushPayload, createPayload, deletePayload], async (_ctx, event) => {
    // Compat: no events for initial commits, imports and mirror syncs.
    if (event.cause !== 'push' && event.cause !== 'api') return []
    return event.updates.flatMap((update) => eventsOf(event, update))
  }),
]

type Update = RefsMovedEvent['updates'][number]

/** Compat: a deleted branch sends no push event, a deleted tag does; refs outside heads and tags send nothing. */
function eventsOf(event: RefsMovedEvent, update: Update): WebhookEvent<'push' | 'create' | 'delete'>[] {
  const isBranch = update.name.startsWith(HEADS)
  if (!isBranch && !update.name.startsWith(TAGS)) return []
  const isMade = isZeroOid(update.old)
  if (isZeroOid(update.new)) return [...(isBranch ? [] : [pushed(event, update)]), deleted(event, update)]
  if (isBranch) return [...(isMade ? [created(event, update)] : []), pushed(event, update)]
  // Compat: a moved tag is sent like a new one.
  const fresh = { ...update, old: '0'.repeat(update.new.length) }
  return [pushed(event, fresh), created(event, fresh)]
}

function pushed({ repository_id, actor_id }: RefsMovedEvent, { name: ref, old: before, new: after }: Update) {
  return webhookEvent(pushPayload, { repository_id, actor_id, ref, before, after }, ref)
}

function created({ repository_id, actor_id }: RefsMovedEvent, { name: ref, new: sha }: Update) {
  return webhookEvent(createPayload, { repository_id, actor_id, ref, sha }, ref)
}

function deleted({ repository_id, actor_id }: RefsMovedEvent, { name: ref, old: sha }: Update) {
  return webhookEvent(deletePayload, { repository_id, actor_id, ref, sha }, ref)
}
