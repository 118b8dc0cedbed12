/** Operations on deliveries: list, get, redeliver, and test a hook. */

import type { Visible } from '#domains/code/repositories'
import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { invalid, notFound } from '#platform/problem'
import type { Page, SignedIn } from '#platform/rest'
import type { WebhookFacts } from '#slices'
import type { DeliveryRow, HookRow } from '../tables.ts'
import { enqueueSend } from './delivery-jobs.ts'
import { enqueueDelivery, newDelivery } from './enqueue-deliveries.ts'
import { findDelivery, insertDeliveries, listHistory } from './store.ts'

export function listDeliveries(ctx: Context, hook: HookRow, page: Page) {
  return listHistory(ctx.db, hook.id, page)
}

export async function getDelivery(ctx: Context, hook: HookRow, id: number): Promise<DeliveryRow> {
  const delivery = await findDelivery(ctx.db, hook.id, id)
  if (delivery === undefined) throw notFound('delivery', id)
  return delivery
}

/** Compat: a redelivery gets a new uuid, so that receivers do not discard it as a duplicate. */
export async function redeliver(ctx: Context, hook: HookRow, id: number): Promise<DeliveryRow> {
  return transact(ctx, async (ctx) => {
    const { payload_id, body } = await getDelivery(ctx, hook, id)
    if (body === null) throw invalid('delivery has not been sent yet')
    const row = { ...newDelivery(ctx, hook.id, payload_id), is_redelivery: true }
    const [newId] = await insertDeliveries(ctx.db, [row])
    await enqueueSend(ctx, [hook.id])
    return getDelivery(ctx, hook, must(newId, 'it was inserted'))
  })
}

/** Compat: sends a push event, whatever the hook subscribed to; sends nothing without a commit to send. */
export async function testHook(
  ctx: Context,
  repo: Visible,
  hook: HookRow,
  actor: SignedIn,
  ref: string | undefined,
): Promise<void> {
  const sample = { repository_id: repo.id, actor_id: actor.id, ref }
  const facts: WebhookFacts | undefined = await ctx.payloads.get('push')?.sample?.(ctx, sample)
  if (facts !== undefined)
    await transact(ctx, (ctx) => enqueueDelivery(ctx, hook.id, { type: 'push', facts }))
}
