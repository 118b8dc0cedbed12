/** SQL on stopwatches. Reads take any handle; writes take a transaction that holds the issue lock. */
import type { TxContext } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { StopwatchRow } from '../tables.ts'

export function findStopwatch(db: Db, userId: number): Promise<StopwatchRow | undefined> {
  return OF_USER.first(db, { userId })
}

const OF_USER = new Statement((db: Db, { userId }: { userId: number }) =>
  db.selectFrom('stopwatch').selectAll().where('user_id', '=', userId),
)

/** False if the user has a running stopwatch. */
export async function insertStopwatch(ctx: TxContext, userId: number, issueId: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('stopwatch')
    .values({ user_id: userId, issue_id: issueId, created_at: ctx.now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes the user's stopwatch on this issue; undefined if none runs. */
export function takeStopwatch(tx: Tx, userId: number, issueId: number): Promise<StopwatchRow | undefined> {
  return tx
    .deleteFrom('stopwatch')
    .where('user_id', '=', userId)
    .where('issue_id', '=', issueId)
    .returningAll()
    .executeTakeFirst()
}
