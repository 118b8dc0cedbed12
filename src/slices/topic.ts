/**
 * Records whose pages update live. A slice decides who may see a record and when it changed last; the slice
 * `notifications` sends listeners a hint that it is newer, without content. Hints may be lost.
 */
import { afterCommit, type Context, type TxContext } from '#platform/context'
import type { Db } from '#platform/db'

export type TopicKind = 'issue' | 'run' | 'board'

export interface Topic {
  readonly kind: TopicKind
  /** Throws unless the caller may see the record with this id. */
  open(ctx: Context, id: number): Promise<unknown>
  /** For each id a number that changes with the record, for clients that missed a hint. */
  versions(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>>
}

export const TOPIC_HINT = 'topic.changed'

/** After the commit, notifies viewers of the record on every node. */
export function hintTopic(ctx: TxContext, kind: TopicKind, id: number): void {
  afterCommit(ctx, () => ctx.bus.publish(TOPIC_HINT, { topic: `${kind}:${id}` }))
}
