/**
 * Events: what happened, recorded once, for every consumer of the subject.
 *
 * `emit` requires a transaction. All events of a transaction and one job that delivers them are written before its
 * COMMIT, so an event exists if and only if its change was committed.
 */
import { type Generated, type JSONColumnType, sql } from 'kysely'
import { beforeCommit, type TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { hintJob, insertJobsFrom } from '#platform/queue'

/** Every slice's events.ts adds to it: subject to payload. Ids and facts only; a consumer that needs more reads it. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Events {}
export type Subject = keyof Events & string

declare module '#platform/db' {
  interface Tables {
    event: EventTable
  }
}
interface EventTable {
  id: Generated<number>
  subject: string
  payload: JSONColumnType<object>
  created_at: Date
}

/** Job kind that delivers the events of a transaction to their consumers. */
export const DELIVER_JOB = 'deliver'
/**
 * Kinds that deliver one event to consumers that query git or that failed; the second to consumers whose effect may come
 * late.
 */
export const DELIVER_TO_JOB = 'deliver-to'
export const DELIVER_LATE_JOB = 'deliver-late'

/** Payload of a `deliver` job. The emitting version names the consumers, so a node of another version loses none of them. */
export interface Delivery {
  readonly events: readonly { readonly id: number; readonly to: readonly string[] }[]
}

/** Maximum number of events in a job. */
const EVENTS_MAX = 50

interface Emitted {
  readonly subject: string
  readonly payload: object
  readonly created_at: Date
  readonly to: readonly string[]
}

const emitted = new WeakMap<Tx, Emitted[]>()

/** First the handlers of the subject act, in the order of the slices; then the event is recorded for its consumers. */
export async function emit<S extends Subject>(ctx: TxContext, subject: S, payload: Events[S]): Promise<void> {
  for (const { handle } of ctx.handlers.get(subject) ?? []) await handle(ctx, payload)
  const hearers = ctx.subscribers.get(subject) ?? []
  const to = hearers.filter((it) => it.hears?.(payload) ?? true).map(({ name }) => name)
  const event = { subject, payload: payload as object, created_at: ctx.now(), to }
  const others = emitted.get(ctx.db)
  if (others !== undefined) return void others.push(event)
  const events = [event]
  emitted.set(ctx.db, events)
  beforeCommit(ctx, () => record(ctx, events))
}

async function record(ctx: TxContext, events: readonly Emitted[]): Promise<void> {
  for (let i = 0; i < events.length; i += EVENTS_MAX) await recordSome(ctx, events.slice(i, i + EVENTS_MAX))
  if (events.some(({ to }) => to.length > 0)) hintJob(ctx, DELIVER_JOB)
}

/** The repository that an event is about; undefined when it is about none. */
export function repositoryOf(event: object): number | undefined {
  return 'repository_id' in event ? (event.repository_id as number) : undefined
}

/** Jobs of one repository take turns with those of others. */
export function groupOf(event: object): string {
  const id = repositoryOf(event)
  return id === undefined ? '' : `repository:${id}`
}

/** The job belongs to the group of its first event. */
async function recordSome(ctx: TxContext, events: readonly Emitted[]): Promise<void> {
  const group = groupOf(events[0]?.payload ?? {})
  const job = sql`select ${DELIVER_JOB}, ${group},
      json_build_object('events', json_agg(json_build_object('id', id, 'to', "to") order by id)),
      ${ctx.config['jobs.attempts_max']}::int
    from numbered join new using (place) where json_array_length("to") > 0
    having count(*) > 0`
  await sql`with new as (
      select subject, payload, created_at, "to", place
      from rows from (json_to_recordset(${JSON.stringify(events)}::json)
        as (subject text, payload jsonb, created_at timestamptz, "to" json)) with ordinality
        as new (subject, payload, created_at, "to", place)),
    recorded as (
      insert into event (subject, payload, created_at)
      select subject, payload, created_at from new order by place returning id),
    numbered as (select id, row_number() over (order by id) as place from recorded)
    ${insertJobsFrom(ctx, job)}`.execute(ctx.db)
}
