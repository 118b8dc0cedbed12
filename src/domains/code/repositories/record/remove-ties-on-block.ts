/** Removes the ties between two accounts and each other's repositories when one blocks the other. */
import { sql } from 'kysely'
import { countMany } from '#domains/people/users'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'

/** Compat: removes stars, watches, collaborations and pending transfers. */
export async function removeTiesOnBlock(
  { db }: TxContext,
  { blocker_id, blocked_id }: { readonly blocker_id: number; readonly blocked_id: number },
): Promise<void> {
  await removeTiesTo(db, blocker_id, blocked_id)
  await removeTiesTo(db, blocked_id, blocker_id)
}

/**
 * Removes a user's ties to an owner's repositories. Invariant: counters of repositories are locked before those of users,
 * each in the order of ids.
 */
async function removeTiesTo(tx: Tx, userId: number, ownerId: number): Promise<void> {
  const owned = sql`select id from repository where owner_id = ${ownerId}`
  await sql`delete from collaboration where user_id = ${userId} and repository_id in (${owned})`.execute(tx)
  await sql`delete from repository_transfer where recipient_id = ${userId} and repository_id in (${owned})`.execute(
    tx,
  )
  const stars = await deleteTies(tx, 'star', userId, ownerId)
  const watches = await deleteTies(tx, 'watch', userId, ownerId)
  const ids = [...new Set([...stars, ...watches])].sort((a, b) => a - b)
  for (const id of ids)
    await tx
      .updateTable('repository_count')
      .set((eb) => ({
        stars: eb('stars', '-', Number(stars.has(id))),
        watchers: eb('watchers', '-', Number(watches.has(id))),
      }))
      .where('repository_id', '=', id)
      .execute()
  await countMany(
    tx,
    Array.from(stars, () => userId),
    'stars',
    -1,
  )
}

async function deleteTies(
  tx: Tx,
  table: 'star' | 'watch',
  userId: number,
  ownerId: number,
): Promise<Set<number>> {
  const deleted = await tx
    .deleteFrom(table)
    .where('user_id', '=', userId)
    .where('repository_id', 'in', (eb) =>
      eb.selectFrom('repository').select('id').where('owner_id', '=', ownerId),
    )
    .returning('repository_id')
    .execute()
  return new Set(deleted.map(({ repository_id }) => repository_id))
}
