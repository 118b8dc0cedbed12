/** A consumer acts on each event of its subject exactly once, after the change was committed: see `deliver.ts`. */
import type { Context, TxContext, World } from '#platform/context'
import type { Events, Subject } from './index.ts'

/** When the event happened. A job may run late, and its effects should carry the time of the event. */
export interface EventMeta {
  readonly at: Date
}

/**
 * Which of many events a consumer may have work for, by few statements for all of them. Called after the change was
 * committed, so a webhook added at the same moment is seen. Consumers that share a function share its result.
 */
export type Interest = (ctx: Context, events: readonly Events[Subject][]) => Promise<readonly boolean[]>

export interface Consumer<S extends Subject = Subject> {
  /** Invariant: never renamed while jobs that name it may wait. */
  readonly name: string
  readonly subject: S
  /** Decides by the event's payload alone, in the transaction that emits. */
  hears?(event: object): boolean
  readonly interest?: Interest
  /** Users do not wait for its effect, so its jobs run when no others are due. Only for a consumer with `prepare`. */
  readonly isLate?: boolean
  /** Queries git or the network, which must not happen in a transaction. May run more than once. */
  prepare?(ctx: Context, event: Events[S]): Promise<unknown>
  handle(ctx: TxContext, event: Events[S], meta: EventMeta, prepared: unknown): Promise<void>
}

export function consumer<S extends Subject>(
  name: string,
  subject: S,
  handle: Consumer<S>['handle'],
): Consumer<S> {
  return { name, subject, handle }
}

/** A consumer that must query git or the network before it acts. */
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

/** For consumers whose effect users do not wait for. */
export function late<C extends Consumer>(consumer: C): C {
  return { ...consumer, isLate: true }
}

/** The consumers of each subject, for `emit`. Names must be unique. */
export function subscribersOf(consumers: readonly Consumer[]): World['subscribers'] {
  const names = new Set<string>()
  for (const { name } of consumers) {
    if (names.has(name)) throw new Error(`two consumers are called ${name}`)
    names.add(name)
  }
  return Map.groupBy(consumers, ({ subject }) => subject)
}
