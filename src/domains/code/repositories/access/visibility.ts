/** Changes the visibility of a repository together with its forks. */
import { sql } from 'kysely'
import { findAccountById } from '#domains/people/users'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { invalid } from '#platform/problem'
import { eventOf } from '../events.ts'
import { forgetAudience } from '../record/store.ts'
import type { RepositoryRow } from '../tables.ts'

/**
 * Invariant: a fork is never more visible than its base repository, because they share packs, and a fetch can request
 * any object of a pack. A trigger enforces it by making the fork private.
 */
export async function setVisibility(
  ctx: TxContext,
  repo: RepositoryRow,
  actorId: number,
  isPrivate: boolean,
): Promise<void> {
  if (isPrivate === repo.is_private) return
  await (isPrivate ? hide(ctx, repo, actorId) : publish(ctx, repo, actorId))
}

async function hide(ctx: TxContext, repo: RepositoryRow, actorId: number): Promise<void> {
  // Compat: a fork cannot be made private on its own.
  if (repo.parent_id !== null) return
  const ids = [repo.id, ...(await listDescendants(ctx.db, repo.id)).flat()]
  const changed = await setPrivate(ctx.db, ids, true)
  // Compat: making a repository private deletes its stars and watches; publishing does not restore them.
  await forgetAudience(
    ctx.db,
    changed.map(({ id }) => id),
  )
  for (const it of changed) await emit(ctx, 'repository.hidden', eventOf(it, actorId))
}

/** Publishes generation by generation, because a fork can only be published after its parent. */
async function publish(ctx: TxContext, repo: RepositoryRow, actorId: number): Promise<void> {
  const forks = (await isOwnerSeen(ctx, repo.owner_id)) ? await listDescendants(ctx.db, repo.id) : []
  for (const ids of [[repo.id], ...forks]) {
    const shown = (await setPrivate(ctx.db, ids, false)).filter((it) => !it.is_private)
    if (shown.length === 0 && ids.includes(repo.id))
      throw invalid('a fork cannot be more visible than its base repository')
    for (const it of shown) await emit(ctx, 'repository.published', eventOf(it, actorId))
  }
}

function setPrivate(tx: Tx, ids: readonly number[], isPrivate: boolean) {
  return tx
    .updateTable('repository')
    .set({ is_private: isPrivate })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('is_private', '<>', isPrivate)
    .returning(['id', 'owner_id', 'name', 'is_private'])
    .execute()
}

async function isOwnerSeen(ctx: TxContext, ownerId: number): Promise<boolean> {
  return (await findAccountById(ctx.db, ownerId))?.visibility !== 'private'
}

/** Ids of forks by generation: forks, then their forks, and so on. */
async function listDescendants(tx: Tx, id: number): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    with recursive below as (
      select id, 1 as generation from repository where parent_id = ${id}
      union select repository.id, generation + 1 from repository join below on repository.parent_id = below.id)
    select array_agg(id order by id) as ids from below group by generation order by generation`.execute(tx)
  return rows.map(({ ids }) => ids.map(Number))
}
