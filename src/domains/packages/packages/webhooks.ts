/** Webhook payloads of published and deleted versions. */
import { presentSender } from '#domains/code/repositories'
import { findAccountById, presentUser } from '#domains/people/users'
import { payload, type Webhook, webhook, webhookEvent } from '#slices'
import type { PackageEvent } from './events.ts'
import { showToHooks } from './records/show.ts'

interface PackageFacts extends PackageEvent {
  readonly action: 'created' | 'deleted'
}

const packagePayload = payload({
  type: 'package',
  indent: 2,
  async build(ctx, facts: PackageFacts) {
    // Built from the event, because the version may be deleted by now.
    const shown = await showToHooks(ctx, {
      id: facts.version_id,
      package_id: 0,
      version: facts.version,
      version_key: facts.version.toLowerCase(),
      creator_id: facts.creator_id,
      created_at: new Date(facts.created_at),
      owner_id: facts.owner_id,
      repository_id: facts.repository_id === 0 ? null : facts.repository_id,
      type: facts.type,
      name: facts.name,
      name_key: facts.name.toLowerCase(),
    })
    if (shown === undefined) return null
    const owner = await findAccountById(ctx.db, facts.owner_id)
    const organization = owner?.kind === 'organization' ? presentUser(owner, null, ctx.site) : undefined
    return {
      action: facts.action,
      repository: shown.repository,
      package: shown,
      ...(organization && { organization }),
      sender: await presentSender(ctx, facts.actor_id),
    }
  },
  describe: (content) => ({
    title: `Package ${content.action}: ${content.package.name}:${content.package.version} by ${content.sender?.login ?? 'Ghost'}`,
    url: content.package.html_url,
    color: content.action === 'created' ? 'green' : 'red',
  }),
})

export const packagesWebhooks: readonly Webhook[] = [
  webhook('package.created', [packagePayload], async (_ctx, event) => [
    webhookEvent(packagePayload, { ...event, action: 'created' }),
  ]),
  webhook('package.deleted', [packagePayload], async (_ctx, event) => [
    webhookEvent(packagePayload, { ...event, action: 'deleted' }),
  ]),
]
