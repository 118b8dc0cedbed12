/** One consumer for each event for which a slice defines webhooks. */
import { type Consumer, consumer } from '#events/consumer'
import type { TxContext } from '#platform/context'
import { concerns, type Slice, type WebhookEvent } from '#slices'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { hasHooks } from './interest.ts'

export function webhookConsumers(slices: readonly Slice[]): Consumer[] {
  return slices.flatMap(({ name, webhooks }) =>
    webhooks.map((webhook) => ({
      ...consumer(`webhooks:${name}:${webhook.subject}`, webhook.subject, async (ctx, event) =>
        enqueueAll(ctx, await webhook.eventsOf(ctx, event)),
      ),
      hears: (event: object) => concerns(webhook, event),
      interest: hasHooks,
    })),
  )
}

async function enqueueAll(ctx: TxContext, events: readonly WebhookEvent[]): Promise<void> {
  for (const [repository_id, inside] of Map.groupBy(events, ({ facts }) => facts.repository_id)) {
    const owner_id = inside[0]?.facts.owner_id ?? (await findOwner(ctx, repository_id))
    if (owner_id !== undefined) await enqueueDeliveries(ctx, { repository_id, owner_id }, inside)
  }
}

/** Undefined when the repository is gone, and its hooks with it. */
async function findOwner(ctx: TxContext, repositoryId: number): Promise<number | undefined> {
  const repo = await ctx.db
    .selectFrom('repository')
    .select('owner_id')
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return repo?.owner_id
}
