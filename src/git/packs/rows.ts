/** The packs of a repository. */
import type { Db } from '#platform/db'
import type { PackKind, StorageId } from '../tables.ts'

export interface LivePack {
  readonly id: string
  readonly digest: string
  readonly bytes: number
  readonly index_bytes: number
  readonly kind: PackKind
}

export function listLivePacks(db: Db, storageId: StorageId): Promise<LivePack[]> {
  return db
    .selectFrom('git_storage_pack')
    .innerJoin('git_pack', 'git_pack.id', 'git_storage_pack.pack_id')
    .select(['git_pack.id', 'git_pack.digest', 'git_pack.bytes', 'git_pack.index_bytes', 'git_pack.kind'])
    .where('git_storage_pack.storage_id', '=', storageId)
    .where('git_storage_pack.retired_at', 'is', null)
    .orderBy('git_pack.created_at')
    .execute()
}
