/** Queries of maintenance about the packs of a repository. */

import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { must } from '#platform/must'
import { NO_STORAGE, type Pack, type StorageId } from '../../tables.ts'

const STORAGES_AT_ONCE = 1_000

/** Live packs with all their columns. */
export function listPacks(db: Db, storageId: StorageId): Promise<Pack[]> {
  return db
    .selectFrom('git_storage_pack')
    .innerJoin('git_pack', 'git_pack.id', 'git_storage_pack.pack_id')
    .selectAll('git_pack')
    .where('git_storage_pack.storage_id', '=', storageId)
    .where('git_storage_pack.retired_at', 'is', null)
    .orderBy('git_pack.created_at')
    .orderBy('git_pack.id')
    .execute()
}

/** Counts live packs that compaction could join; garbage packs are never joined. */
export async function countLivePacks(db: Db, storageId: StorageId): Promise<number> {
  const { rows } = await sql<{ packs: number }>`
    select count(*) as packs from git_storage_pack named join git_pack on git_pack.id = named.pack_id
    where named.storage_id = ${storageId} and named.retired_at is null and git_pack.kind <> 'garbage'`.execute(
    db,
  )
  return must(rows[0], 'a count is a row').packs
}

/** The distinct objects that refs point to, or that are kept for a while without one. */
export async function listTips(db: Db, storageId: StorageId, now: Date): Promise<string[]> {
  const kept = db
    .selectFrom('git_kept_tip')
    .select('oid')
    .where('storage_id', '=', storageId)
    .where('kept_until', '>', now)
  const rows = await db
    .selectFrom('git_ref')
    .select('oid')
    .where('storage_id', '=', storageId)
    .union(kept)
    .execute()
  return rows.map(({ oid }) => oid)
}

/** The ids of all storages that are not deleted, read in pages. */
export async function* listStorages(db: Db): AsyncGenerator<StorageId> {
  for (let last = NO_STORAGE; ; ) {
    const rows = await db
      .selectFrom('git_storage')
      .select('id')
      .where('deleted_at', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(STORAGES_AT_ONCE)
      .execute()
    if (rows.length === 0) return
    for (const { id } of rows) yield id
    last = rows.at(-1)?.id ?? last
  }
}

/** By storage, without those that are deleted. A stamp changes whenever refs or packs do. */
export async function findStamps(db: Db, ids: readonly StorageId[]): Promise<Map<StorageId, string>> {
  const rows = await db
    .selectFrom('git_storage')
    .select(['id', 'stamp'])
    .where('id', '=', sql<StorageId>`any(${[...ids]}::bigint[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, stamp }) => [id, stamp]))
}
