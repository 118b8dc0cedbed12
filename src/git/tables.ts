/** The tables of git storage: the truth about refs and packs. */
import type { Generated, JSONColumnType, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    git_repository: StorageTable
    git_ref: GitRefTable
    git_pack: GitPackTable
    git_repository_pack: RepositoryPackTable
    git_pack_unnamed: { pack_id: string; since: Date }
    git_pack_doomed: { id: string; digest: string; since: Date }
    git_generation: GenerationTable
    git_branch_count: { repository_id: number; name: string; oid: string; commits: number }
  }
}

export type ObjectFormat = 'sha1' | 'sha256'
export type PackKind = 'receive' | 'write' | 'compact' | 'gc' | 'garbage'

interface StorageTable {
  id: Generated<number>
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
  repository_id: number
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

interface RepositoryPackTable {
  repository_id: number
  pack_id: string
  added_generation: number
  retired_at: Date | null
  retired_generation: number | null
}

interface GenerationTable {
  stamp: string
  repository_id: number
  results: JSONColumnType<Record<string, string | null>> | null
  created_at: Date
}

/** A repository as git storage knows it: by number, without an owner or a name. */
export type Storage = Selectable<StorageTable>
export type GitRef = Omit<Selectable<GitRefTable>, 'repository_id' | 'generation'>
export type Pack = Selectable<GitPackTable>
