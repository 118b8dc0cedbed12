/**
 * Events: what happened, told once, to whoever cares.
 *
 * `emit` takes a transaction and nothing else. It writes the event and one job for each consumer that hears it, so
 * an event exists if and only if the change it tells of was committed, and is delivered as often as it takes.
 */
import type { Generated, JSONColumnType } from 'kysely'
import type { TxContext } from '#platform/context'
import { addJobs } from '#platform/queue'

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

export async function emit<S extends Subject>(ctx: TxContext, subject: S, payload: Events[S]): Promise<void> {
  const event = await ctx.db
    .insertInto('event')
    .values({ subject, payload: JSON.stringify(payload), created_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const jobs = (ctx.hearers.get(subject) ?? []).map((consumer) => ({
    task: DELIVER_TASK,
    payload: { event_id: event.id, consumer },
    attemptsMax: ctx.config['jobs.attempts_max'],
  }))
  await addJobs(ctx.db, jobs)
}
