/** SQL on payloads and deliveries. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { type Db, type Paged, type Tx, takePage } from '#platform/db'
import type { Page } from '#platform/rest'
import type {
  DeliveryPatch,
  DeliveryRow,
  DeliverySummary,
  NewDeliveryRow,
  NewPayloadRow,
  PayloadRow,
} from '../tables.ts'

/** Ids in the order of the rows. */
export async function insertPayloads(tx: Tx, rows: readonly NewPayloadRow[]): Promise<number[]> {
  const made = await tx
    .insertInto('webhook_payload')
    .values([...rows])
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

export async function insertDeliveries(tx: Tx, rows: readonly NewDeliveryRow[]): Promise<number[]> {
  const made = await tx
    .insertInto('webhook_delivery')
    .values([...rows])
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

export function findPayload(db: Db, id: number): Promise<PayloadRow | undefined> {
  return db.selectFrom('webhook_payload').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The first writer wins. */
export async function writeBody(tx: Tx, id: number, body: string): Promise<void> {
  await tx
    .updateTable('webhook_payload')
    .set({ body })
    .where('id', '=', id)
    .where('body', 'is', null)
    .execute()
}

/** Deletes its deliveries, too. */
export async function deletePayload(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('webhook_payload').where('id', '=', id).execute()
}

/** Hooks with waiting deliveries of a payload, with their types. */
export function listHooksOf(db: Db, payloadId: number): Promise<{ id: number; type: string }[]> {
  return db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
    .select(['webhook.id', 'webhook.type'])
    .where('webhook_delivery.payload_id', '=', payloadId)
    .where('webhook_delivery.state', '=', WAITING)
    .execute()
}

export async function dropDeliveries(tx: Tx, payloadId: number, hookIds: readonly number[]): Promise<void> {
  if (hookIds.length === 0) return
  await tx
    .deleteFrom('webhook_delivery')
    .where('payload_id', '=', payloadId)
    .where('webhook_id', 'in', [...hookIds])
    .execute()
}

/** A literal, so that the planner can use the partial index `webhook_delivery_due`. */
const WAITING = sql.lit('waiting' as const)

const SUMMARY = [
  'webhook_delivery.id',
  'webhook_delivery.uuid',
  'webhook_delivery.webhook_id',
  'webhook_delivery.payload_id',
  'webhook_delivery.state',
  'webhook_delivery.is_redelivery',
  'webhook_delivery.attempts',
  'webhook_delivery.next_at',
  'webhook_delivery.expires_at',
  'webhook_delivery.created_at',
  'webhook_delivery.attempted_at',
  'webhook_delivery.finished_at',
  'webhook_delivery.duration_ms',
  'webhook_delivery.error',
  'webhook_payload.type',
] as const
const status = sql<number | null>`(webhook_delivery.answer->>'status')::bigint`.as('status')

/** Newest first, without request and response. */
export function selectHistory(db: Db, hookId: number) {
  return db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_payload', 'webhook_payload.id', 'webhook_delivery.payload_id')
    .select(SUMMARY)
    .select(status)
    .where('webhook_delivery.webhook_id', '=', hookId)
    .orderBy('webhook_delivery.id', 'desc')
}

export function listHistory(db: Db, hookId: number, page: Page): Promise<Paged<DeliverySummary>> {
  const counted = db.selectFrom('webhook_delivery').where('webhook_id', '=', hookId)
  return takePage(selectHistory(db, hookId), page, counted)
}

export function findDelivery(db: Db, hookId: number, id: number): Promise<DeliveryRow | undefined> {
  return selectHistory(db, hookId)
    .select(['webhook_delivery.request', 'webhook_delivery.answer', 'webhook_payload.body'])
    .where('webhook_delivery.id', '=', id)
    .executeTakeFirst()
}

export interface DueDelivery extends DeliverySummary {
  readonly body: string
}

/** The next due delivery, now or later. Skips payloads whose body is not built yet. */
export function selectNext(db: Db, hookId: number) {
  return db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_payload', 'webhook_payload.id', 'webhook_delivery.payload_id')
    .select(SUMMARY)
    .select(status)
    .select((eb) => eb.ref('webhook_payload.body').$notNull().as('body'))
    .where('webhook_delivery.webhook_id', '=', hookId)
    .where('webhook_delivery.state', '=', WAITING)
    .where('webhook_payload.body', 'is not', null)
    .orderBy('webhook_delivery.next_at')
    .orderBy('webhook_delivery.id')
    .limit(1)
}

/** Invariant: only a waiting delivery changes, so a stalled worker cannot overwrite the result of another one. */
export async function updateDelivery(tx: Tx, id: number, patch: DeliveryPatch): Promise<void> {
  await tx
    .updateTable('webhook_delivery')
    .set(patch)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Active hooks with deliveries that were due before `before`. A loose index scan from hook to hook: the cost does not
 * depend on the number of deliveries of a hook.
 */
export async function listLate(db: Db, before: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive hook as (
      (select webhook_id as id from webhook_delivery where state = 'waiting' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_delivery where state = 'waiting' and webhook_id > hook.id
        order by webhook_id limit 1)
      from hook where hook.id is not null)
    select hook.id from hook join webhook on webhook.id = hook.id and webhook.is_active
    where exists (select 1 from webhook_delivery join webhook_payload on webhook_payload.id = payload_id
      where webhook_id = hook.id and state = 'waiting' and next_at < ${before} and body is not null)
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes old payloads without pending deliveries; returns the number of rows. */
export async function sweepPayloads(
  tx: Tx,
  { now, before, limit }: { now: Date; before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`delete from webhook_payload where id in (
    select id from webhook_payload old where created_at < ${before} and not exists (
      select 1 from webhook_delivery where payload_id = old.id and state = 'waiting' and expires_at > ${now})
    order by created_at, id limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
