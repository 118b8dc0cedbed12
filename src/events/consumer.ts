/** A consumer hears each event at least once from the queue and acts on it exactly once. */
import { type Context, type TxContext, transact } from '#platform/context'
import type { Events, Subject } from './index.ts'

/** When it was told. A job may come late, and what it writes should not look as if it had happened then. */
export interface EventMeta {
  readonly at: Date
}

export interface Consumer<S extends Subject = Subject> {
  /** Invariant: never renamed, because it is what the marks of heard events are kept under. */
  readonly name: string
  readonly subject: S
  /** Asks what cannot be asked in a transaction, of git or of the network. May happen more than once. */
  prepare?(ctx: Context, event: Events[S]): Promise<unknown>
  handle(ctx: TxContext, event: Events[S], meta: EventMeta, prepared: unknown): Promise<void>
}

declare module '#platform/db' {
  interface Tables {
    event_consumed: { event_id: number; consumer: string }
  }
}

export function consumer<S extends Subject>(
  name: string,
  subject: S,
  handle: Consumer<S>['handle'],
): Consumer<S> {
  return { name, subject, handle }
}

/** One that must ask git or the network before it can act. */
export function preparedConsumer<S extends Subject, Prepared>(
  name: string,
  subject: S,
  prepare: (ctx: Context, event: Events[S]) => Promise<Prepared>,
  handle: (ctx: TxContext, event: Events[S], meta: EventMeta, prepared: Prepared) => Promise<void>,
): Consumer<S> {
  return {
    name,
    subject,
    prepare,
    handle: (ctx, event, meta, prepared) => handle(ctx, event, meta, prepared as Prepared),
  }
}

/** Who hears what, for `emit`. Two consumers of one name would steal each other's marks. */
export function subscribersOf(consumers: readonly Consumer[]): ReadonlyMap<string, readonly string[]> {
  const hearers = new Map<string, string[]>()
  const names = new Set<string>()
  for (const { name, subject } of consumers) {
    if (names.has(name)) throw new Error(`two consumers are called ${name}`)
    names.add(name)
    hearers.set(subject, [...(hearers.get(subject) ?? []), name])
  }
  return hearers
}

/** Runs the handler and marks the event as heard in one transaction, so a second delivery does nothing. */
export async function deliver(ctx: Context, to: Consumer, eventId: number): Promise<void> {
  const event = await ctx.db
    .selectFrom('event')
    .select(['payload', 'created_at'])
    .where('id', '=', eventId)
    .executeTakeFirst()
  // Swept after its time: there is nothing left to tell.
  if (event === undefined) return
  const payload = event.payload as Events[Subject]
  const prepared = await to.prepare?.(ctx, payload)
  await transact(ctx, async (ctx) => {
    const marked = await ctx.db
      .insertInto('event_consumed')
      .values({ event_id: eventId, consumer: to.name })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (marked.numInsertedOrUpdatedRows === 0n) return
    await to.handle(ctx, payload, { at: event.created_at }, prepared)
  })
}
