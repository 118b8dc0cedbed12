/** Storages whose time to be taken back is over: their rows go, and the bytes that nobody else names. */

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
 * Invariant: nobody else deletes storages, and nobody takes a deletion back once this has begun. Refs have no foreign key
 * that would delete them, so they go first; notes of what is to be deleted outlive the storage.
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

/** From here on their deletion cannot be taken back: the row of each says so before anything of it goes. */
async function beginSweep(ctx: Context, before: Date, last: StorageId): Promise<StorageId[]> {
  const { rows } = await sql<{ id: StorageId }>`update git_storage set is_swept = true
    where deleted_at < ${before} and id in (
      select id from git_storage where deleted_at < ${before} and id > ${last}
      order by id limit ${STORAGES_AT_ONCE})
    returning id`.execute(ctx.db)
  return rows.map(({ id }) => id).sort((a, b) => a - b)
}

/** Whoever was making these has died: they wait out the time to undo like any other. */
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

/** Few at once: a repository may have had a million. */
async function forgetRefs(ctx: Context, id: StorageId): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from git_ref where storage_id = ${id} and name in
      (select name from git_ref where storage_id = ${id} limit ${REFS_AT_ONCE})`.execute(ctx.db)
    if (numAffectedRows === 0n) return
  }
}

/** Each name becomes a note that the bytes may have to go, old enough to be looked at soon. */
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
