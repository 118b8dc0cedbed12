/**
 * Events: what happened, told once, to whoever cares.
 *
 * `emit` takes a transaction and nothing else. It writes the event and one job for each consumer that hears it, so
 * an event exists if and only if the change it tells of was committed, and is delivered as often as it takes.
 */
import { type Generated, type JSONColumnType, sql } from 'kysely'
import type { TxContext } from '#platform/context'

/** Every slice's events.ts adds to it: subject to payload. Ids and facts only; a consumer that wants more reads it. */
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

/** The task that carries events to consumers. */
export const DELIVER_TASK = 'deliver'

/**
 * First those who act in this transaction, in the order of the slices; then the event and the jobs of its consumers, in
 * one statement.
 */
export async function emit<S extends Subject>(ctx: TxContext, subject: S, payload: Events[S]): Promise<void> {
  for (const { handle } of ctx.handlers.get(subject) ?? []) await handle(ctx, payload)
  const consumers = ctx.subscribers.get(subject) ?? []
  await sql`with told as (
      insert into event (subject, payload, created_at)
      values (${subject}, ${JSON.stringify(payload)}, ${ctx.now()}) returning id)
    select graphile_worker.add_jobs(array(
      select json_populate_record(null::graphile_worker.job_spec, json_build_object(
        'identifier', ${DELIVER_TASK}::text, 'max_attempts', ${ctx.config['jobs.attempts_max']}::int,
        'payload', json_build_object('event_id', told.id, 'consumer', consumer)))
      from told, unnest(${[...consumers]}::text[]) as consumer))`.execute(ctx.db)
}
