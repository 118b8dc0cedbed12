/** The tables of webhooks: hooks, payloads, deliveries and circuits. */
import type { Generated, Insertable, JSONColumnType, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    webhook: HookTable
    webhook_payload: PayloadTable
    webhook_delivery: DeliveryTable
    webhook_circuit: CircuitTable
  }
}

/** A default hook receives nothing itself: it is copied into every new repository. */
export type ScopeName = 'repository' | 'owner' | 'system' | 'default'
export type ContentType = 'json' | 'form'
export type DeliveryState = 'waiting' | 'delivered' | 'failed'
export type HookSettings = Readonly<Record<string, string>>

interface HookTable {
  id: Generated<number>
  scope: ScopeName
  repository_id: number | null
  owner_id: number | null
  type: string
  name: string
  url: string
  content_type: ContentType
  sealed_secret: string
  sealed_authorization: string
  events: string[]
  branch_filter: string
  settings: JSONColumnType<HookSettings>
  is_active: boolean
  created_at: Date
  updated_at: Date
}

interface PayloadTable {
  id: Generated<number>
  type: string
  facts: JSONColumnType<object>
  /** Null until it is built. */
  body: string | null
  created_at: Date
}

/** Headers do not contain secrets. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null when it equals the body of the payload. */
  readonly body: string | null
}

export interface ReceivedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface DeliveryTable {
  id: Generated<number>
  uuid: string
  webhook_id: number
  payload_id: number
  state: Generated<DeliveryState>
  is_redelivery: Generated<boolean>
  attempts: Generated<number>
  next_at: Date
  expires_at: Date
  created_at: Date
  attempted_at: Date | null
  finished_at: Date | null
  request: JSONColumnType<SentRequest> | null
  answer: JSONColumnType<ReceivedAnswer> | null
  duration_ms: number | null
  error: Generated<string>
}

interface CircuitTable {
  key: string
  failures: number
  open_until: Date | null
  updated_at: Date
}

export type HookRow = Selectable<HookTable>
export type NewHookRow = Insertable<HookTable>
export type HookPatch = Updateable<HookTable>
export type PayloadRow = Selectable<PayloadTable>
export type NewPayloadRow = Insertable<PayloadTable>
export type NewDeliveryRow = Insertable<DeliveryTable>
export type DeliveryPatch = Updateable<DeliveryTable>
export type CircuitRow = Selectable<CircuitTable>
/** A delivery in a list. */
export interface DeliverySummary extends Omit<Selectable<DeliveryTable>, 'request' | 'answer'> {
  readonly type: string
  readonly status: number | null
  readonly duration_ms: number | null
}
/** A delivery with request and response. */
export interface DeliveryRow extends DeliverySummary {
  readonly request: SentRequest | null
  readonly answer: ReceivedAnswer | null
  readonly body: string | null
}
