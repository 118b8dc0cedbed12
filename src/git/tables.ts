/** The tables of git storage, authoritative for refs and packs. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    git_storage: StorageTable
    git_ref: GitRefTable
    git_pack: GitPackTable
    git_storage_pack: StoragePackTable
    git_pack_unnamed: { pack_id: string; since: Date }
    git_pack_doomed: { id: string; digest: string; since: Date }
    git_generation: GenerationTable
    git_kept_tip: { storage_id: StorageId; oid: string; kept_until: Date }
    anonymous_git_use: { address_range: string; window_start: Date; used_ms: number }
    git_branch_count: { storage_id: StorageId; name: string; oid: string; commits: number }
  }
}

declare const isStorageId: unique symbol

/** Id of a storage. `repository.id` is another id: the two are never compared. */
export type StorageId = number & { readonly [isStorageId]: true }

/** Less than every id: where a walk over storages begins. */
export const NO_STORAGE = 0 as StorageId

export type ObjectFormat = 'sha1' | 'sha256'
export type PackKind = 'receive' | 'write' | 'compact' | 'gc' | 'garbage'

interface StorageTable {
  id: Generated<StorageId>
  object_format: ObjectFormat
  head: string
  generation: Generated<number>
  stamp: Generated<string>
  released_generation: Generated<number>
  is_adopted: Generated<boolean>
  deleted_at: Date | null
  is_swept: Generated<boolean>
  created_at: Date
}

interface GitRefTable {
  storage_id: StorageId
  name: string
  oid: string
  peeled_oid: string | null
  generation: number
}

interface GitPackTable {
  id: string
  digest: string
  bytes: number
  index_bytes: number
  object_count: number
  kind: PackKind
  created_at: Date
}

interface StoragePackTable {
  storage_id: StorageId
  pack_id: string
  added_generation: number
  retired_at: Date | null
  retired_generation: number | null
}

interface GenerationTable {
  stamp: string
  storage_id: StorageId
  results: JSONColumnType<Record<string, string | null>> | null
  created_at: Date
}

/** A repository as git storage knows it: by id, without owner or name. */
export type Storage = Selectable<StorageTable>
export type GitRef = Omit<Selectable<GitRefTable>, 'storage_id' | 'generation'>
export type Pack = Selectable<GitPackTable>
