/**
 * A handler acts inside the transaction of whoever emits: what it does belongs to the change, and a `Problem` of its own
 * refuses all of it. It asks neither git nor the network. What can wait until the change is there is a consumer's.
 */
import type { TxContext } from '#platform/context'
import type { Events, Subject } from './index.ts'

declare module '#platform/context' {
  interface World {
    /** Who acts in the transaction of whoever emits, by subject. */
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

/** By subject, in the order in which they are given: that of the slices. */
export function handlersBySubject(handlers: readonly Handler[]): ReadonlyMap<string, readonly Handler[]> {
  return Map.groupBy(handlers, ({ subject }) => subject)
}
