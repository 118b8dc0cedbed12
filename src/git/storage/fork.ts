/** Forks copy rows, not bytes. */

import { sql } from 'kysely'
import type { TxContext } from '#platform/context'
import { notFound } from '#platform/problem'
import { sumBytes } from '../packs/rows.ts'
import { lockStorage } from '../refs/update.ts'
import type { StorageId } from '../tables.ts'
import { growGeneration } from './storage.ts'

/**
 * A storage with the branches, tags and packs of another. Deletions in one do not affect the other.
 *
 * Only inside one visibility domain, which the caller checks: a fetch can request any object of any pack, so a reader of
 * the fork can read everything its parent ever held.
 *
 * One statement, so one snapshot: refs never come without their packs.
 */
export async function forkStorage(ctx: TxContext, fromId: StorageId): Promise<StorageId> {
  const { rows } = await sql<{ id: StorageId }>`
    with made as (
      insert into git_storage (object_format, head, generation, created_at)
      select object_format, head, 1, ${ctx.now()} from git_storage
      where id = ${fromId} and deleted_at is null
      returning id, stamp),
    generation as (
      insert into git_generation (stamp, storage_id, created_at)
      select stamp, id, ${ctx.now()} from made),
    packs as (
      insert into git_storage_pack (storage_id, pack_id, added_generation)
      select made.id, pack_id, 1 from made, git_storage_pack
      where storage_id = ${fromId} and retired_at is null),
    refs as (
      insert into git_ref (storage_id, name, oid, peeled_oid, generation)
      select made.id, name, oid, peeled_oid, 1 from made, git_ref
      where storage_id = ${fromId}
        and (name >= 'refs/heads/' and name < 'refs/heads0' or name >= 'refs/tags/' and name < 'refs/tags0'))
    select id from made`.execute(ctx.db)
  const [made] = rows
  if (made === undefined) throw notFound('git storage', fromId)
  return made.id
}

/**
 * Adds the current packs of the parent to a fork, so that commits of both can be compared. No ref moves. The caller
 * checks the visibility domain, as above. Returns the number of bytes added.
 */
export async function sharePacks(ctx: TxContext, fromId: StorageId, toId: StorageId): Promise<number> {
  const { generation } = await lockStorage(ctx, toId)
  const { rows } = await sql<{ bytes: number }>`
    with added as (
      insert into git_storage_pack as pack (storage_id, pack_id, added_generation)
      select ${toId}::bigint, pack_id, ${generation + 1}::bigint from git_storage_pack
      where storage_id = ${fromId} and retired_at is null
      on conflict (storage_id, pack_id) do update set retired_at = null, retired_generation = null
      where pack.retired_at is not null
      returning pack_id)
    select bytes from git_pack where id in (select pack_id from added)`.execute(ctx.db)
  if (rows.length > 0) await growGeneration(ctx.db, toId, { now: ctx.now() })
  return sumBytes(rows)
}
