/** The webhook payload of releases: published, updated or deleted. */
import { findAsOwner, presentOwned, presentSender } from '#domains/code/repositories'
import { payload, type Webhook, type WebhookFacts, webhook, webhookEvent } from '#slices'
import { showRelease } from './record/show-releases.ts'

interface ReleaseFacts extends WebhookFacts {
  readonly action: 'published' | 'updated' | 'deleted'
  readonly release_id: number
  /** Set for a deleted release, whose row is gone. */
  readonly tag?: string
  readonly title?: string
}

const releasePayload = payload({
  type: 'release',
  indent: 2,
  async build(ctx, facts: ReleaseFacts) {
    const repo = await findAsOwner(ctx, facts.repository_id)
    if (repo === undefined) return null
    const gone = { id: facts.release_id, tag_name: facts.tag, name: facts.title }
    const release = facts.action === 'deleted' ? gone : await showRelease(ctx, repo, facts.release_id)
    if (release === undefined) return null
    return {
      action: facts.action,
      release,
      repository: presentOwned(repo, ctx),
      sender: await presentSender(ctx, facts.actor_id),
    }
  },
})

export const releasesWebhooks: readonly Webhook[] = [
  webhook('release.published', [releasePayload], async (_ctx, event) => [
    webhookEvent(releasePayload, { ...event, action: 'published' }),
  ]),
  webhook('release.updated', [releasePayload], async (_ctx, event) => [
    webhookEvent(releasePayload, { ...event, action: 'updated' }),
  ]),
  webhook('release.deleted', [releasePayload], async (_ctx, event) => [
    webhookEvent(releasePayload, { ...event, action: 'deleted' }),
  ]),
]
