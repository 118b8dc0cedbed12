/** Who may see a repository at all: it, and all that was forked from it, change together. */
import { sql } from 'kysely'
import { findAccountById } from '#domains/users'
import { emit } from '#events'
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { eventOf } from './events.ts'
import { forgetAudience } from './store.ts'
import type { RepositoryRow } from './tables.ts'

/**
 * Invariant: a fork is as visible as what it was forked from, because it shares its packs, and whoever may fetch can
 * ask for anything in a pack.
 */
export async function setVisibility(
  ctx: TxContext,
  repo: RepositoryRow,
  actorId: number,
  isPrivate: boolean,
): Promise<void> {
  const wanted = repo.parent_id === null ? isPrivate : await isParentPrivate(ctx, repo.parent_id, isPrivate)
  const reachesForks = wanted || (await isOwnerSeen(ctx, repo.owner_id))
  const ids = reachesForks ? [repo.id, ...(await listDescendants(ctx.db, repo.id))] : [repo.id]
  const changed = await ctx.db
    .updateTable('repository')
    .set({ is_private: wanted })
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .where('is_private', '<>', wanted)
    .returning(['id', 'owner_id', 'name'])
    .execute()
  if (changed.length === 0) return
  // Compat: what is hidden is watched and starred by nobody, also after it is shown again.
  if (wanted)
    await forgetAudience(
      ctx.db,
      changed.map(({ id }) => id),
    )
  for (const it of changed) {
    const event = eventOf(it, actorId)
    await (wanted ? emit(ctx, 'repository.hidden', event) : emit(ctx, 'repository.published', event))
  }
}

async function isParentPrivate(ctx: TxContext, parentId: number, otherwise: boolean): Promise<boolean> {
  const parent = await ctx.db
    .selectFrom('repository')
    .select('is_private')
    .where('id', '=', parentId)
    .executeTakeFirst()
  return parent?.is_private ?? otherwise
}

async function isOwnerSeen(ctx: TxContext, ownerId: number): Promise<boolean> {
  return (await findAccountById(ctx.db, ownerId))?.visibility !== 'private'
}

/** Forks, and their forks. */
async function listDescendants(tx: Tx, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from repository where parent_id = ${id}
      union select repository.id from repository join below on repository.parent_id = below.id)
    select id from below order by id`.execute(tx)
  return rows.map((row) => row.id)
}
