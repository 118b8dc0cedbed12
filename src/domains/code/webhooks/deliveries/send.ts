/**
 * Sends the due deliveries of one hook in order, and schedules the next job when more will be due.
 *
 * At least once: a delivery is marked after its response, so a crash in between sends it again, with the same uuid. In
 * bounded time: every wait has a limit, and after 72 hours a delivery fails.
 */

import { type Context, transact } from '#platform/context'
import { must } from '#platform/must'
import { RETRY_WAITS_MS, RUN_DELIVERIES_MAX, RUN_MS_MAX } from '../limits.ts'
import type { DeliveryPatch } from '../tables.ts'
import { type BuiltRequest, buildRequest } from './build-request.ts'
import { acquire, circuitsOf, noteOutcome } from './circuit-breaker.ts'
import { type SendOrder, scheduleSend } from './delivery-jobs.ts'
import { findHookWithSecrets } from './hook-with-secrets.ts'
import { type Posted, post } from './post.ts'
import { type DueDelivery, selectNext, updateDelivery } from './store.ts'

/** Milliseconds until the next delivery is due; null when there is none. */
type Pause = number | null

export async function sendDue(ctx: Context, { webhook_id }: SendOrder): Promise<void> {
  const pause = await sendWhileDue(ctx, webhook_id)
  if (pause !== null) await transact(ctx, (ctx) => scheduleSend(ctx, webhook_id, pause))
}

async function sendWhileDue(ctx: Context, hookId: number): Promise<Pause> {
  const startedAt = performance.now()
  for (let i = 0; i < RUN_DELIVERIES_MAX && performance.now() - startedAt < RUN_MS_MAX; i++) {
    const pause = await sendNext(ctx, hookId)
    if (pause !== 'sent') return pause
  }
  // More may be due: other hooks go first.
  return 0
}

async function sendNext(ctx: Context, hookId: number): Promise<Pause | 'sent'> {
  const hook = await findHookWithSecrets(ctx, hookId)
  // Deliveries of an inactive hook wait until it is active again or they expire.
  if (hook === undefined || !hook.is_active) return null
  const delivery = await selectNext(ctx.db, hookId).executeTakeFirst()
  if (delivery === undefined) return null
  const now = ctx.now().getTime()
  if (delivery.next_at.getTime() > now) return delivery.next_at.getTime() - now
  if (delivery.expires_at.getTime() <= now) return giveUp(ctx, delivery)
  const circuits = circuitsOf(hookId, hook.url)
  const { waitMs, isProbe } = await acquire(ctx, circuits)
  if (waitMs > 0) return waitMs
  const built = buildRequest(hook, { ...delivery, describe: ctx.payloads.get(delivery.type)?.describe })
  const posted = await post(ctx, built.request)
  await transact(ctx, async (ctx) => {
    await updateDelivery(ctx.db, delivery.id, afterAttempt(ctx.now(), delivery, built, posted))
    await noteOutcome(ctx, circuits, posted.outcome, isProbe)
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
  { shown }: BuiltRequest,
  { outcome, answer, durationMs, error }: Posted,
): DeliveryPatch {
  const attempts = delivery.attempts + 1
  const waitMs = must(RETRY_WAITS_MS[attempts - 1] ?? RETRY_WAITS_MS.at(-1), 'there is a wait')
  const next_at = new Date(now.getTime() + waitMs)
  const isDelivered = outcome === 'delivered'
  // A forbidden target is not retried.
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
