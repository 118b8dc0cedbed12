/** A consumer hears each event at least once from the queue and acts on it exactly once. */
import { type Context, type TxContext, transact } from '#platform/context'
import type { Events, Subject } from './index.ts'

export interface Consumer<S extends Subject = Subject> {
  /** Invariant: never renamed, because it is what the marks of heard events are kept under. */
  readonly name: string
  readonly subject: S
  handle(ctx: TxContext, event: Events[S]): Promise<void>
}

declare module '#platform/db' {
  interface Tables {
    event_heard: { event_id: number; consumer: string }
  }
}

export function consumer<S extends Subject>(
  name: string,
  subject: S,
  handle: Consumer<S>['handle'],
): Consumer<S> {
  return { name, subject, handle }
}

/** Who hears what, for `emit`. Two consumers of one name would steal each other's marks. */
export function hearersOf(consumers: readonly Consumer[]): ReadonlyMap<string, readonly string[]> {
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
    .select('payload')
    .where('id', '=', eventId)
    .executeTakeFirst()
  // Swept after its time: there is nothing left to tell.
  if (event === undefined) return
  await transact(ctx, async (ctx) => {
    const marked = await ctx.db
      .insertInto('event_heard')
      .values({ event_id: eventId, consumer: to.name })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (marked.numInsertedOrUpdatedRows === 0n) return
    await to.handle(ctx, event.payload as Events[Subject])
  })
}
