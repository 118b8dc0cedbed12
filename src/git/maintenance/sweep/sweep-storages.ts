/** Deletes storages whose restore period is over: their rows, and bytes that no other storage names. */

import { sql } from 'kysely'
import type { Context } from '#platform/context'
import { FOREIGN_KEY_VIOLATION, sqlStateOf } from '#platform/db'
import { NO_STORAGE, type StorageId } from '../../tables.ts'
import { CLOCKS_DIFFER_MS, ORPHAN_KEPT_MS, UNDO_MS, UPLOAD_KEPT_MS } from '../limits.ts'
import { noteUnnamed, sweepUnnamed } from './sweep.ts'

const STORAGES_AT_ONCE = 200
const PACKS_AT_ONCE = 500
const REFS_AT_ONCE = 20_000

/**
 * Invariant: only this function deletes storages, and no deletion is reverted once it has begun. Refs have no cascading
 * foreign key, so they are deleted first; `git_pack_unnamed` rows outlive the storage.
 */
export async function sweepStorages(ctx: Context): Promise<void> {
  await giveUpOrphans(ctx)
  const before = new Date(ctx.now().getTime() - UNDO_MS - CLOCKS_DIFFER_MS)
  const doomed: StorageId[] = []
  for (let last = NO_STORAGE; ; ) {
    const ids = await beginSweep(ctx, before, last)
    if (ids.length === 0) break
    for (const id of ids) {
      last = id
      await forgetRefs(ctx, id)
      await forgetPacks(ctx, id)
      doomed.push(id)
    }
  }
  if (doomed.length === 0) return
  await sweepUnnamed(ctx)
  for (const id of doomed) await remove(ctx, id)
}

/** From here on the deletion cannot be reverted: `is_swept` is set before anything is deleted. */
async function beginSweep(ctx: Context, before: Date, last: StorageId): Promise<StorageId[]> {
  const { rows } = await sql<{ id: StorageId }>`update git_storage set is_swept = true
    where deleted_at < ${before} and id in (
      select id from git_storage where deleted_at < ${before} and id > ${last}
      order by id limit ${STORAGES_AT_ONCE})
    returning id`.execute(ctx.db)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Their creators have died; these storages wait out the restore period like deleted ones. */
async function giveUpOrphans(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ORPHAN_KEPT_MS)
  await ctx.db
    .updateTable('git_storage')
    .set({ deleted_at: ctx.now() })
    .where('is_adopted', '=', false)
    .where('created_at', '<', before)
    .where('deleted_at', 'is', null)
    .execute()
}

/** In small batches: a repository may have a million refs. */
async function forgetRefs(ctx: Context, id: StorageId): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from git_ref where storage_id = ${id} and name in
      (select name from git_ref where storage_id = ${id} limit ${REFS_AT_ONCE})`.execute(ctx.db)
    if (numAffectedRows === 0n) return
  }
}

/** Each name becomes a `git_pack_unnamed` row, backdated so that the sweeper checks it soon. */
async function forgetPacks(ctx: Context, id: StorageId): Promise<void> {
  const since = new Date(ctx.now().getTime() - UPLOAD_KEPT_MS - 1)
  for (;;) {
    const { rows } = await sql`with gone as (
        delete from git_storage_pack where storage_id = ${id} and pack_id in (
          select pack_id from git_storage_pack where storage_id = ${id} limit ${PACKS_AT_ONCE})
        returning pack_id)
      ${noteUnnamed(sql`select pack_id, ${since}::timestamptz from gone`)} returning pack_id`.execute(ctx.db)
    if (rows.length === 0) return
  }
}

async function remove(ctx: Context, id: StorageId): Promise<void> {
  try {
    await sql`delete from git_storage where id = ${id} and deleted_at is not null
      and not exists (select 1 from git_ref where storage_id = ${id})
      and not exists (select 1 from git_storage_pack where storage_id = ${id})`.execute(ctx.db)
  } catch (error) {
    if (sqlStateOf(error) !== FOREIGN_KEY_VIOLATION) throw error
    ctx.log.error({ 'git.storage': id }, 'deleted storage is still referenced')
  }
}
