/**
 * Sends what is due to one hook, one delivery after the other, and sends for the next job when there is more to come.
 *
 * At least once: a delivery is marked after it was answered, so whoever dies in between has it sent again, under the
 * same name. In bounded time: every wait has an end, and after 72 hours a delivery is given up.
 */

import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { askLeave, circuitsOf, noteOutcome } from './circuit.ts'
import { type Composed, compose } from './compose.ts'
import { type DueDelivery, selectNext, updateDelivery } from './delivery-store.ts'
import { type Exchanged, exchange } from './exchange.ts'
import { RETRY_WAITS_MS, RUN_DELIVERIES_MAX, RUN_MS_MAX } from './limits.ts'
import type { DeliveryPatch } from './tables.ts'
import { findTarget } from './target.ts'
import { type SendOrder, wakeLater } from './wake.ts'

/** How long until there is something to do again; null when nothing is known of. */
type Pause = number | null

export async function sendDue(ctx: Context, { webhook_id }: SendOrder): Promise<void> {
  const pause = await sendWhileDue(ctx, webhook_id)
  if (pause !== null) await transact(ctx, (ctx) => wakeLater(ctx, webhook_id, pause))
}

async function sendWhileDue(ctx: Context, hookId: number): Promise<Pause> {
  const startedAt = performance.now()
  for (let i = 0; i < RUN_DELIVERIES_MAX && performance.now() - startedAt < RUN_MS_MAX; i++) {
    const pause = await sendNext(ctx, hookId)
    if (pause !== 'sent') return pause
  }
  // There may be more: others have their turn first.
  return 0
}

async function sendNext(ctx: Context, hookId: number): Promise<Pause | 'sent'> {
  const target = await findTarget(ctx, hookId)
  // A hook that is switched off hears what it missed when it is switched on, if that is soon.
  if (target === undefined || !target.is_active) return null
  const delivery = await selectNext(ctx.db, hookId).executeTakeFirst()
  if (delivery === undefined) return null
  const now = ctx.now().getTime()
  if (delivery.next_at.getTime() > now) return delivery.next_at.getTime() - now
  if (delivery.expires_at.getTime() <= now) return giveUp(ctx, delivery)
  const circuits = circuitsOf(hookId, target.url)
  const { restMs, isProbe } = await askLeave(ctx, circuits)
  if (restMs > 0) return restMs
  const composed = compose(target, delivery)
  const exchanged = await exchange(ctx, composed.request)
  await transact(ctx, async (ctx) => {
    await updateDelivery(ctx.db, delivery.id, afterAttempt(ctx.now(), delivery, composed, exchanged))
    await noteOutcome(ctx, circuits, exchanged.outcome, isProbe)
  })
  return 'sent'
}

async function giveUp(ctx: Context, delivery: DueDelivery): Promise<'sent'> {
  const error = delivery.error || 'circuit breaker stayed open until the delivery expired'
  await transact(ctx, (ctx) =>
    updateDelivery(ctx.db, delivery.id, { state: 'failed', finished_at: ctx.now(), error }),
  )
  return 'sent'
}

function afterAttempt(
  now: Date,
  delivery: DueDelivery,
  { shown }: Composed,
  { outcome, answer, durationMs, error }: Exchanged,
): DeliveryPatch {
  const attempts = delivery.attempts + 1
  const waitMs = must(RETRY_WAITS_MS[attempts - 1] ?? RETRY_WAITS_MS.at(-1), 'there is a wait')
  const next_at = new Date(now.getTime() + waitMs)
  const isDelivered = outcome === 'delivered'
  // What may not be sent to is not asked again and again whether it may by now.
  const isOver = isDelivered || outcome === 'forbidden' || next_at >= delivery.expires_at
  return {
    attempts,
    attempted_at: now,
    request: JSON.stringify(shown),
    answer: answer === null ? null : JSON.stringify(answer),
    duration_ms: durationMs,
    error,
    state: isDelivered ? 'delivered' : isOver ? 'failed' : 'waiting',
    ...(isOver ? { finished_at: now } : { next_at }),
  }
}
