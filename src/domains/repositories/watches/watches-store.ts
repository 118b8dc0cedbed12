/** SQL on `watch`. Reads take any handle; writes take a transaction, and count. */
import { sql } from 'kysely'
import { selectAccounts, visibleTo } from '#domains/users'
import type { Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'
import type { Tie } from '../stars/stars-store.ts'

export interface Watch extends Tie {
  readonly created_at: Date
}

export function findWatch(db: Db, { user_id, repository_id }: Tie): Promise<Watch | undefined> {
  return db
    .selectFrom('watch')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .executeTakeFirst()
}

/** False when it was watched before. */
export async function insertWatch(tx: Tx, watch: Watch): Promise<boolean> {
  const inserted = await tx
    .insertInto('watch')
    .values(watch)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false
  await countWatcher(tx, watch.repository_id, 1)
  return true
}

export async function deleteWatch(tx: Tx, { user_id, repository_id }: Tie): Promise<void> {
  const deleted = await tx
    .deleteFrom('watch')
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 1n) await countWatcher(tx, repository_id, -1)
}

/** All of somebody who leaves. */
export async function deleteWatchesOf(tx: Tx, userId: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('watch')
    .where('user_id', '=', userId)
    .returning('repository_id')
    .execute()
  const ids = deleted.map(({ repository_id }) => repository_id)
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ watchers: eb('watchers', '-', 1) }))
    .where('repository_id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** The people who watch a repository, as far as the caller may see them. */
export function selectWatchers(ctx: Context, repositoryId: number) {
  return selectAccounts(ctx.db)
    .innerJoin('watch', 'watch.user_id', 'account.id')
    .where('watch.repository_id', '=', repositoryId)
    .where(visibleTo(ctx.actor))
    .orderBy('watch.user_id')
}

async function countWatcher(tx: Tx, repositoryId: number, by: 1 | -1): Promise<void> {
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ watchers: eb('watchers', '+', by) }))
    .where('repository_id', '=', repositoryId)
    .execute()
}
