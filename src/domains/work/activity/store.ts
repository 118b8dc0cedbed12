/** SQL that writes acts and feeds. All functions take a transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db'
import type { Act } from '#slices'

export interface Place {
  readonly id: number
  readonly owner_id: number
  readonly is_private: boolean
  readonly isOrganizations: boolean
}

/** The repository of an act, locked against deletion: the deletion's consumer then finds these acts. */
export async function holdPlace(tx: Tx, repositoryId: number): Promise<Place | undefined> {
  const found = await tx
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.id', 'repository.owner_id', 'repository.is_private', 'account.kind'])
    .where('repository.id', '=', repositoryId)
    .forKeyShare('repository')
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { kind, ...place } = found
  return { ...place, isOrganizations: kind === 'organization' }
}

export async function insertActs(
  tx: Tx,
  place: Place,
  actorId: number,
  acts: readonly Act[],
  at: Date,
): Promise<number[]> {
  const rows = acts.map((act) => ({
    ...act,
    repository_id: place.id,
    actor_id: actorId,
    is_private: place.is_private,
    created_at: at,
  }))
  const inserted = await tx.insertInto('activity').values(rows).returning('id').execute()
  return inserted.map(({ id }) => id)
}

/** Skips recipients who have the entry already, and deleted accounts. */
export function insertFeed(
  repositoryId: number,
  ids: readonly number[],
  recipients: readonly number[],
): RawBuilder<unknown> {
  return sql`insert into activity_feed
      (recipient_id, created_at, activity_id, repository_id, actor_id, is_private)
    select account.id, activity.created_at, activity.id, activity.repository_id, activity.actor_id,
      activity.is_private
    from activity cross join account
    where activity.repository_id = ${repositoryId} and activity.id = any(${[...ids]})
      and account.id = any(${[...recipients]})
    on conflict do nothing`
}

export async function listWatchers(
  tx: Tx,
  repositoryId: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const found = await tx
    .selectFrom('watch')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()
  return found.map(({ user_id }) => user_id)
}

/**
 * Deletes a deleted repository's entries from the feeds of its owner and of the actors. Entries in other feeds could be
 * found only by a full scan, and are never shown.
 */
export function deleteFeed(repositoryId: number, ownerId: number): RawBuilder<unknown> {
  const acts = sql`from activity where repository_id = ${repositoryId}`
  return sql`delete from activity_feed using (
      select actor_id as recipient_id, created_at, id ${acts}
      union select ${ownerId}::bigint, created_at, id ${acts}) as told
    where activity_feed.recipient_id = told.recipient_id and activity_feed.created_at = told.created_at
      and activity_feed.activity_id = told.id`
}

export async function deleteActs(tx: Tx, repositoryId: number): Promise<void> {
  await tx.deleteFrom('activity').where('repository_id', '=', repositoryId).execute()
}
