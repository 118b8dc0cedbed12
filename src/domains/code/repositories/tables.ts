/** The tables of repositories: record, counters and grants. */
import type { Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely'
import type { Collaboration, Visibility } from '#domains/people/access'
import type { ObjectFormat, StorageId } from '#git'
import type { RepositorySettings } from './record/settings.ts'

declare module '#platform/db' {
  interface Tables {
    repository: RepositoryTable
    repository_count: RepositoryCountTable
    collaboration: { repository_id: number; user_id: number; level: Collaboration; created_at: Date }
    team_repository: TeamRepositoryRow
    watch: { user_id: number; repository_id: number; created_at: Date }
    star: { user_id: number; repository_id: number; created_at: Date }
    repository_deleted: RepositoryDeletedTable
    repository_redirect: { owner_id: number; name_key: string; repository_id: number }
    repository_transfer: RepositoryTransferTable
    repository_language: { repository_id: number; language: string; bytes: number }
    repository_tally: { audience: Visibility; part: number; repositories: number }
    topic: TopicTable
    pinned_repository: { account_id: number; repository_id: number; place: number }
  }
}

export interface TeamRepositoryRow {
  team_id: number
  repository_id: number
  organization_id: number
}

interface RepositoryTransferTable {
  repository_id: number
  actor_id: number
  recipient_id: number
  team_ids: Generated<number[]>
  created_at: Date
}

/** The remains of a deleted repository, until its storage is swept. */
interface RepositoryDeletedTable {
  id: number
  owner_id: number
  storage_id: StorageId
  name: string
  name_key: string
  record: DeletedRecord
  deleted_at: Date
}

/** As JSON: times are strings. */
export interface DeletedRecord {
  readonly row: KeptRow
  /** Without those of rows that are deleted with it. */
  readonly counts: Pick<RepositoryCount, 'branches' | 'tags' | 'bytes'> &
    Partial<Pick<RepositoryUsage, 'wiki_bytes' | 'lfs_bytes'>>
  readonly languages: readonly { readonly language: string; readonly bytes: number }[]
  /** Forks whose parent it was. */
  readonly fork_ids: readonly number[]
}

type KeptRow = Omit<RepositoryRow, NotKept | 'created_at' | 'archived_at'> & {
  readonly created_at: string
  readonly archived_at: string | null
}

/** Columns of their own, generated columns, and columns that are lost with the avatar and the mirror's source. */
type NotKept =
  | keyof Omit<RepositoryDeletedTable, 'record' | 'deleted_at'>
  | 'audience'
  | 'is_quarantined'
  | 'search_key'
  | 'avatar'
  | 'updated_at'
  | 'is_mirror'
  | `mirror_${string}`

interface TopicTable {
  id: Generated<number>
  name: string
  repositories: Generated<number>
  created_at: Date
  updated_at: Date
}

export type TrustModel = 'default' | 'collaborator' | 'committer' | 'collaboratorcommitter'

interface RepositoryTable {
  id: Generated<number>
  owner_id: number
  storage_id: StorageId
  /** The storage of the wiki; null until the first write. */
  wiki_storage_id: Generated<StorageId | null>
  name: string
  name_key: string
  description: Generated<string>
  website: Generated<string>
  original_url: Generated<string>
  /** `parent_id`: the repository it was forked from; `family_id`: the root of its fork network. */
  parent_id: Generated<number | null>
  family_id: Generated<number | null>
  is_private: Generated<boolean>
  /** Who sees it without a grant. Maintained by triggers. */
  audience: GeneratedAlways<Visibility>
  /** Why administrators hide it; null when they do not. */
  quarantine_reason: Generated<string | null>
  /** Hidden for that reason, or because its owner is suspended. Maintained by triggers. */
  is_quarantined: GeneratedAlways<boolean>
  is_template: Generated<boolean>
  archived_at: Date | null
  default_branch: Generated<string>
  object_format: Generated<ObjectFormat>
  units: Generated<string[]>
  /** Only values that differ from the defaults. */
  settings: Generated<RepositorySettings>
  trust_model: Generated<TrustModel>
  topics: Generated<string[]>
  /** Name and topics in one string, for searches. */
  search_key: GeneratedAlways<string>
  language: Generated<string>
  licenses: Generated<string[]>
  avatar: Generated<string>
  is_mirror: Generated<boolean>
  mirror_interval_s: Generated<number | null>
  mirror_synced_at: Generated<Date | null>
  mirror_updated_at: Generated<Date | null>
  mirror_next_at: Generated<Date | null>
  created_at: Date
  updated_at: Date
}

interface RepositoryCountTable {
  repository_id: number
  stars: Generated<number>
  forks: Generated<number>
  watchers: Generated<number>
  branches: Generated<number>
  tags: Generated<number>
  open_issues: Generated<number>
  open_pulls: Generated<number>
  releases: Generated<number>
  /** Live packs of its code. */
  bytes: Generated<number>
  wiki_bytes: Generated<number>
  artifact_bytes: Generated<number>
  /** Logs that have ended. */
  log_bytes: Generated<number>
  attachment_bytes: Generated<number>
  /** Git LFS objects that it is linked to. */
  lfs_bytes: Generated<number>
}

export type RepositoryRow = Selectable<RepositoryTable>
export type NewRepositoryRow = Insertable<RepositoryTable>
export type RepositoryPatch = Updateable<RepositoryTable>
export type DeletedRow = Selectable<RepositoryDeletedTable>
export type TopicRow = Selectable<TopicTable>
export type TransferRow = Selectable<RepositoryTransferTable>
type AllCounts = Omit<Selectable<RepositoryCountTable>, 'repository_id'>
type UsageCounter = 'wiki_bytes' | 'artifact_bytes' | 'log_bytes' | 'attachment_bytes' | 'lfs_bytes'
export type RepositoryCount = Omit<AllCounts, UsageCounter>
/** What its owner stores for it. */
export type RepositoryUsage = Pick<AllCounts, UsageCounter | 'bytes'>
