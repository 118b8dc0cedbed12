/** The packs of a repository. */
import type { Db } from '#platform/db'
import type { PackKind, StorageId } from '../tables.ts'

declare module '#platform/context' {
  interface World {
    /**
     * Counts bytes of packs that a storage gains or loses, for the owner of its repository; if `isLimited`, more than the
     * owner may have are refused. Bytes that come with refs of a repository are counted by its policy.
     */
    readonly countPacks: (ctx: TxContext, id: StorageId, bytes: number, isLimited: boolean) => Promise<void>
  }
}

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

export function sumBytes(packs: readonly { readonly bytes: number }[]): number {
  return packs.reduce((sum, pack) => sum + pack.bytes, 0)
}
