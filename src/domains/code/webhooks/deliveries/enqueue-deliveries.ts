/** Inserts one delivery for each hook that subscribed to an event, in the transaction of the event's consumer. */
import { randomUUID } from 'node:crypto'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { globOf } from '#platform/patterns'
import type { WebhookEvent } from '#slices'
import { interestIn } from '../event-types.ts'
import { type Source, selectSubscribed } from '../hooks/store.ts'
import { ROWS_AT_ONCE, TRIED_FOR_MS } from '../limits.ts'
import type { HookRow, NewDeliveryRow } from '../tables.ts'
import { enqueueBuild } from './delivery-jobs.ts'
import { insertDeliveries, insertPayloads } from './store.ts'

export async function enqueueDeliveries(
  ctx: TxContext,
  source: Source,
  events: readonly WebhookEvent[],
): Promise<void> {
  const subscribers = (await selectSubscribed(ctx.db, source).execute()).map(subscriberOf)
  const wanted = events
    .map((event) => ({ event, hookIds: subscribers.filter((it) => it.wants(event)).map(({ id }) => id) }))
    .filter(({ hookIds }) => hookIds.length > 0)
  for (const part of inParts(wanted)) await enqueue(ctx, part)
}

/** To one hook, whatever it subscribed to. */
export async function enqueueDelivery(ctx: TxContext, hookId: number, event: WebhookEvent): Promise<void> {
  await enqueue(ctx, [{ event, hookIds: [hookId] }])
}

async function enqueue(
  ctx: TxContext,
  wanted: readonly { event: WebhookEvent; hookIds: number[] }[],
): Promise<void> {
  const created_at = ctx.now()
  const ids = await insertPayloads(
    ctx.db,
    wanted.map(({ event: { type, facts } }) => ({ type, facts: JSON.stringify(facts), created_at })),
  )
  const rows = wanted.flatMap(({ hookIds }, i) =>
    hookIds.map((hookId) => newDelivery(ctx, hookId, must(ids[i], 'every payload was inserted'))),
  )
  for (const part of inParts(rows)) await insertDeliveries(ctx.db, part)
  await enqueueBuild(ctx, ids)
}

export function newDelivery(ctx: TxContext, webhook_id: number, payload_id: number): NewDeliveryRow {
  const now = ctx.now()
  return {
    uuid: randomUUID(),
    webhook_id,
    payload_id,
    next_at: now,
    expires_at: new Date(now.getTime() + TRIED_FOR_MS),
    created_at: now,
  }
}

/** Parses the branch filter once for all events. */
function subscriberOf({ id, events, branch_filter }: Pick<HookRow, 'id' | 'events' | 'branch_filter'>) {
  const passes = filterOf(branch_filter)
  return {
    id,
    wants: ({ type, ref }: WebhookEvent) =>
      events.includes(interestIn(type)) && (ref === undefined || passes(ref)),
  }
}

/** Compat: a filter matches the name of a branch, or the full name of any ref. */
function filterOf(filter: string): (ref: string) => boolean {
  if (filter === '' || filter === '*' || filter === '**') return () => true
  const fits = globOf(filter, '')
  return (ref) => {
    const branch = /^refs\/heads\/(.*)$/s.exec(ref)?.[1]
    return (branch !== undefined && fits(branch)) || fits(ref)
  }
}

function inParts<T>(all: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let i = 0; i < all.length; i += ROWS_AT_ONCE) parts.push(all.slice(i, i + ROWS_AT_ONCE))
  return parts
}
