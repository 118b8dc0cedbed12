/** The webhook payload of wiki pages: created, edited or deleted. */
import { findAsOwner, presentOwned, presentSender } from '#domains/code/repositories'
import { payload, type Webhook, webhook, webhookEvent } from '#slices'
import type { WikiEvent } from './events.ts'

const wikiPayload = payload({
  type: 'wiki',
  indent: 2,
  async build(ctx, facts: WikiEvent) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    return {
      action: facts.action,
      repository: presentOwned(repo, ctx),
      sender: await presentSender(ctx, facts.actor_id),
      page: facts.page,
      comment: facts.comment,
    }
  },
})

export const wikiWebhooks: readonly Webhook[] = [
  webhook('wiki.changed', [wikiPayload], async (_ctx, event) => [webhookEvent(wikiPayload, event)]),
]
