/** SQL on reactions. Reads take any handle; writes take a transaction. */
import type { Insertable } from 'kysely'
import type { Db, Tables, Tx } from '#platform/db'
import type { ReactionRow } from '../tables.ts'

/** Of an issue or comment. The REST API and exports list the first ones in one piece. */
export const REACTIONS_MAX = 1_000

/** An issue, or one of its comments. */
export interface Target {
  readonly issue_id: number
  readonly comment_id: number | null
}

export type NewReaction = Insertable<Tables['reaction']>

/** Undefined if it existed before. */
export function insertReaction(tx: Tx, row: NewReaction): Promise<ReactionRow | undefined> {
  return tx
    .insertInto('reaction')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findReaction(
  db: Db,
  target: Target,
  userId: number,
  content: string,
): Promise<ReactionRow | undefined> {
  return selectReactions(db, target)
    .where('user_id', '=', userId)
    .where('content', '=', content)
    .executeTakeFirst()
}

export async function deleteReaction(tx: Tx, target: Target, userId: number, content: string): Promise<void> {
  await tx
    .deleteFrom('reaction')
    .where('issue_id', '=', target.issue_id)
    .where('comment_id', 'is not distinct from', target.comment_id)
    .where('user_id', '=', userId)
    .where('content', '=', content)
    .execute()
}

/** In the order of insertion. */
export function selectReactions(db: Db, { issue_id, comment_id }: Target) {
  const reactions = db.selectFrom('reaction').selectAll().where('issue_id', '=', issue_id).orderBy('id')
  return comment_id === null
    ? reactions.where('comment_id', 'is', null)
    : reactions.where('comment_id', '=', comment_id)
}
