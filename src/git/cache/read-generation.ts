/** Reads what a copy of a repository is made of. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import { notFound } from '#platform/problem'
import type { LivePack } from '../packs/rows.ts'
import type { GitRef, Storage, StorageId } from '../tables.ts'

export interface Generation {
  readonly storage: Storage
  readonly refs: readonly GitRef[]
  readonly packs: readonly LivePack[]
}

type Row = Storage & {
  readonly refs: readonly [name: string, oid: string, peeledOid: string | null][]
  readonly packs: readonly LivePack[]
}

/**
 * Refs, in byte order and at most `refsMax`, and packs of the current generation. One statement, so PostgreSQL reads them
 * all in one snapshot: a copy labelled with another stamp would pass for that generation after a failover that lost a push.
 */
export async function readGeneration(db: Db, id: StorageId, refsMax: number): Promise<Generation> {
  const { rows } = await sql<Row>`select git_storage.*,
      (select coalesce(json_agg(json_build_array(name, oid, peeled_oid)), '[]') from (
        select name, oid, peeled_oid from git_ref where storage_id = git_storage.id
        order by name limit ${refsMax}) as ref) as refs,
      (select coalesce(json_agg(pack), '[]') from (
        select git_pack.id, digest, bytes, index_bytes, kind from git_storage_pack
        join git_pack on git_pack.id = pack_id where storage_id = git_storage.id and retired_at is null
        order by git_pack.created_at) as pack) as packs
    from git_storage where id = ${id} and deleted_at is null`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('git storage', id)
  const { refs, packs, ...storage } = row
  return { storage, refs: refs.map(([name, oid, peeled_oid]) => ({ name, oid, peeled_oid })), packs }
}
