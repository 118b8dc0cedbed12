/** SQL on `star`. Reads take any handle; writes take a transaction, and count on both sides. */
import { sql } from 'kysely'
import { count, selectAccounts, visibleTo } from '#domains/users'
import type { Context } from '#platform/context'
import type { Db, Tx } from '#platform/db'

export interface Tie {
  readonly user_id: number
  readonly repository_id: number
}

export async function hasStar(db: Db, { user_id, repository_id }: Tie): Promise<boolean> {
  const found = await db
    .selectFrom('star')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('repository_id', '=', repository_id)
    .executeTakeFirst()
  return found !== undefined
}

/** False when it was starred before. */
export async function insertStar(tx: Tx, star: Tie & { created_at: Date }): Promise<boolean> {
  const inserted = await tx
    .insertInto('star')
    .values(star)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows !== 1n) return false
  await countStar(tx, star, 1)
  return true
}

export async function deleteStar(tx: Tx, star: Tie): Promise<void> {
  const deleted = await tx
    .deleteFrom('star')
    .where('user_id', '=', star.user_id)
    .where('repository_id', '=', star.repository_id)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 1n) await countStar(tx, star, -1)
}

/** All of somebody who leaves. */
export async function deleteStarsOf(tx: Tx, userId: number): Promise<void> {
  const deleted = await tx
    .deleteFrom('star')
    .where('user_id', '=', userId)
    .returning('repository_id')
    .execute()
  const ids = deleted.map(({ repository_id }) => repository_id)
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ stars: eb('stars', '-', 1) }))
    .where('repository_id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute()
}

/** The people who starred a repository, as far as the caller may see them. */
export function selectStargazers(ctx: Context, repositoryId: number) {
  return selectAccounts(ctx.db)
    .innerJoin('star', 'star.user_id', 'account.id')
    .where('star.repository_id', '=', repositoryId)
    .where(visibleTo(ctx.actor))
    .orderBy('star.user_id')
}

/** Invariant: the counter of the repository is locked before that of the person, whoever counts. */
async function countStar(tx: Tx, { user_id, repository_id }: Tie, by: 1 | -1): Promise<void> {
  await tx
    .updateTable('repository_count')
    .set((eb) => ({ stars: eb('stars', '+', by) }))
    .where('repository_id', '=', repository_id)
    .execute()
  await count(tx, user_id, 'stars', by)
}
