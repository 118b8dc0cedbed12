/** The webhook payload of a commit status. */
import { presentHookCommit } from '#domains/code/contents'
import { findAsOwner, presentOwned, presentSender } from '#domains/code/repositories'
import { time } from '#platform/rest'
import { payload, type Webhook, webhook, webhookEvent } from '#slices'
import type { StatusEvent } from './events.ts'
import { findStatus } from './store.ts'

const statusPayload = payload({
  type: 'status',
  indent: 2,
  async build(ctx, facts: StatusEvent) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    const status = await findStatus(ctx.db, facts.status_id)
    if (repo === undefined || status === undefined) return null
    const repository = presentOwned(repo, ctx)
    return {
      commit: await presentHookCommit(ctx, repo, status.oid),
      context: status.context,
      created_at: time(status.created_at),
      description: status.description,
      id: status.id,
      repository,
      sender: await presentSender(ctx, facts.actor_id),
      sha: status.oid,
      state: status.state,
      target_url: status.target_url,
      updated_at: null,
    }
  },
})

export const statusesWebhooks: readonly Webhook[] = [
  webhook('status.created', [statusPayload], async (_ctx, event) => [webhookEvent(statusPayload, event)]),
]
