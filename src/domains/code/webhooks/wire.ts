/** REST records of hooks and deliveries. Pure: no database, no clock. */
import { type Static, Type } from 'typebox'
import { Time, time } from '#platform/rest'
import { groupOf } from './event-types.ts'
import type { DeliveryRow, DeliverySummary, HookRow } from './tables.ts'

export type Hook = Static<typeof Hook>
export const Hook = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: Type.String(),
    branch_filter: Type.String(),
    config: Type.Record(Type.String(), Type.String()),
    events: Type.Array(Type.String()),
    authorization_header: Type.String({ description: 'always empty: write-only' }),
    active: Type.Boolean(),
    updated_at: Time,
    created_at: Time,
  },
  { title: 'Hook' },
)

export function presentHook(hook: HookRow): Hook {
  return {
    id: hook.id,
    name: hook.name,
    type: hook.type,
    branch_filter: hook.branch_filter,
    config: { url: hook.url, content_type: hook.content_type, ...hook.settings },
    events: hook.events,
    authorization_header: '',
    active: hook.is_active,
    updated_at: time(hook.updated_at),
    created_at: time(hook.created_at),
  }
}

export const GitHook = Type.Object(
  { name: Type.String(), is_active: Type.Boolean(), content: Type.String() },
  { title: 'GitHook' },
)

const OptionalTime = Type.Union([Time, Type.Null()])
const OptionalInteger = Type.Union([Type.Integer(), Type.Null()])
const Headers = Type.Record(Type.String(), Type.String())

const deliveryFields = {
  id: Type.Integer(),
  uuid: Type.String({ description: 'delivery UUID, the same for every attempt' }),
  event: Type.String(),
  event_type: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('failed')]),
  redelivery: Type.Boolean({ description: 'whether the delivery is a redelivery' }),
  attempts: Type.Integer(),
  status_code: OptionalInteger,
  duration_ms: OptionalInteger,
  error: Type.String({ description: 'error of the last attempt, or empty' }),
  created_at: Time,
  attempted_at: OptionalTime,
  next_attempt_at: OptionalTime,
  finished_at: OptionalTime,
}

export type HookDelivery = Static<typeof HookDelivery>
export const HookDelivery = Type.Object(deliveryFields, { title: 'HookDelivery' })

export type HookDeliveryDetail = Static<typeof HookDeliveryDetail>
export const HookDeliveryDetail = Type.Object(
  {
    ...deliveryFields,
    request: Type.Union([
      Type.Object({ method: Type.String(), url: Type.String(), headers: Headers, body: Type.String() }),
      Type.Null(),
    ]),
    response: Type.Union([
      Type.Object({ status_code: Type.Integer(), headers: Headers, body: Type.String() }),
      Type.Null(),
    ]),
  },
  { title: 'HookDeliveryDetail' },
)

export function presentDelivery(row: DeliverySummary): HookDelivery {
  return {
    id: row.id,
    uuid: row.uuid,
    event: groupOf(row.type),
    event_type: row.type,
    state: row.state,
    redelivery: row.is_redelivery,
    attempts: row.attempts,
    status_code: row.status,
    duration_ms: row.duration_ms,
    error: row.error,
    created_at: time(row.created_at),
    attempted_at: time(row.attempted_at),
    next_attempt_at: row.state === 'waiting' ? time(row.next_at) : null,
    finished_at: time(row.finished_at),
  }
}

export function presentDeliveryDetail(row: DeliveryRow): HookDeliveryDetail {
  const { request, answer } = row
  return {
    ...presentDelivery(row),
    request: request && { ...request, body: request.body ?? row.body ?? '' },
    response: answer && { status_code: answer.status, headers: answer.headers, body: answer.body },
  }
}
