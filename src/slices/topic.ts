/**
 * What people look at while it changes. A slice says who may see one of its own and when it was last changed; the slice
 * `notifications` tells those who listen that there is something newer, never what. A hint may be lost: it is a hint.
 */
import { afterCommit, type Context, type TxContext } from '#platform/context'
import type { Db } from '#platform/db'

export type TopicKind = 'issue' | 'run' | 'board'

export interface Topic {
  readonly kind: TopicKind
  /** Refuses whoever may not see the one of this number. */
  open(ctx: Context, id: number): Promise<unknown>
  /** For each of some a number that is another one when it was changed; for those that hear no hint. */
  versions(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>>
}

export const TOPIC_HINT = 'topic.changed'

/** When the transaction is committed, whoever looks at it on any node is told to look again. */
export function hintTopic(ctx: TxContext, kind: TopicKind, id: number): void {
  afterCommit(ctx, () => ctx.bus.publish(TOPIC_HINT, { topic: `${kind}:${id}` }))
}
