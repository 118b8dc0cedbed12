/**
 * A handler acts inside the transaction that emits the event: its effects belong to the change, and a `Problem` it throws
 * refuses the change. It must not query git or the network. Work that can wait until after the commit belongs to a
 * consumer.
 */
import type { TxContext } from '#platform/context'
import type { Events, Subject } from './index.ts'

declare module '#platform/context' {
  interface World {
    /** Handlers that run in the emitting transaction, by subject. */
    readonly handlers: ReadonlyMap<string, readonly Handler[]>
  }
}

export interface Handler<S extends Subject = Subject> {
  readonly subject: S
  handle(ctx: TxContext, event: Events[S]): Promise<void>
}

export function handler<S extends Subject>(subject: S, handle: Handler<S>['handle']): Handler<S> {
  return { subject, handle }
}

/** By subject, in the given order, which is that of the slices. */
export function handlersBySubject(handlers: readonly Handler[]): ReadonlyMap<string, readonly Handler[]> {
  return Map.groupBy(handlers, ({ subject }) => subject)
}
