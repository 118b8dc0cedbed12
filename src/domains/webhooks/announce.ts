/** From what happened to who is told: one delivery for each hook that wants to hear it, in the transaction of hearing. */

import { randomUUID } from 'node:crypto'
import type { TxContext } from '#platform/context'
import { must } from '#platform/must'
import { globOf } from '#platform/patterns'
import { insertDeliveries, insertPayloads } from './delivery-store.ts'
import { type EventType, interestIn } from './event-types.ts'
import { ROWS_AT_ONCE, TRIED_FOR_MS } from './limits.ts'
import { type Source, selectHearing } from './store.ts'
import type { HookRow, NewDeliveryRow } from './tables.ts'
import { orderBuilding } from './wake.ts'

export interface News {
  readonly type: EventType
  /** The whole name of the branch or tag, for those who want to hear of some only. */
  readonly ref?: string
  /** What its payload is built from. */
  readonly facts: object
}

export async function announce(ctx: TxContext, source: Source, news: readonly News[]): Promise<void> {
  const ears = (await selectHearing(ctx.db, source).execute()).map(earOf)
  const told = news
    .map((item) => ({ item, hookIds: ears.filter((ear) => ear.hears(item)).map(({ id }) => id) }))
    .filter(({ hookIds }) => hookIds.length > 0)
  for (const part of inParts(told)) await tell(ctx, part)
}

/** Tells one hook, whatever it wants to hear. */
export async function tellOne(ctx: TxContext, hookId: number, item: News): Promise<void> {
  await tell(ctx, [{ item, hookIds: [hookId] }])
}

async function tell(ctx: TxContext, told: readonly { item: News; hookIds: number[] }[]): Promise<void> {
  const created_at = ctx.now()
  const ids = await insertPayloads(
    ctx.db,
    told.map(({ item: { type, facts } }) => ({ type, facts: JSON.stringify(facts), created_at })),
  )
  const rows = told.flatMap(({ hookIds }, i) =>
    hookIds.map((hookId) => newDelivery(ctx, hookId, must(ids[i], 'every payload was inserted'))),
  )
  for (const part of inParts(rows)) await insertDeliveries(ctx.db, part)
  await orderBuilding(ctx, ids)
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

/** A filter is read once, however much there is to hold against it. */
function earOf({ id, events, branch_filter }: Pick<HookRow, 'id' | 'events' | 'branch_filter'>) {
  const passes = filterOf(branch_filter)
  return {
    id,
    hears: ({ type, ref }: News) => events.includes(interestIn(type)) && (ref === undefined || passes(ref)),
  }
}

/** Compat: a filter is held against the name of a branch and against the whole name of any ref. */
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
