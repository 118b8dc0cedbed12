/** The tables of repositories: the record, its counters, and who was given what. */
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

/** What is left of a repository until its storage is swept. */
interface RepositoryDeletedTable {
  id: number
  owner_id: number
  storage_id: StorageId
  name: string
  name_key: string
  record: DeletedRecord
  deleted_at: Date
}

/** As JSON has it: times are texts. */
export interface DeletedRecord {
  readonly row: KeptRow
  readonly counts: Pick<RepositoryCount, 'branches' | 'tags' | 'bytes'>
  readonly languages: readonly { readonly language: string; readonly bytes: number }[]
  /** What was forked from it. */
  readonly fork_ids: readonly number[]
}

type KeptRow = Omit<RepositoryRow, NotKept | 'created_at' | 'archived_at'> & {
  readonly created_at: string
  readonly archived_at: string | null
}

/** What has a column of its own, what the database works out, and what is lost with the picture and the source of a mirror. */
type NotKept =
  | keyof Omit<RepositoryDeletedTable, 'record' | 'deleted_at'>
  | 'audience'
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
  /** Where its git data is, as git storage knows it. */
  storage_id: StorageId
  /** Where its wiki is; null until somebody first writes to it. */
  wiki_storage_id: Generated<StorageId | null>
  name: string
  name_key: string
  description: Generated<string>
  website: Generated<string>
  original_url: Generated<string>
  /** What it was forked from; the root of its whole family of forks. */
  parent_id: Generated<number | null>
  family_id: Generated<number | null>
  is_private: Generated<boolean>
  /** Who sees it without a grant. The database keeps it. */
  audience: GeneratedAlways<Visibility>
  is_template: Generated<boolean>
  archived_at: Date | null
  default_branch: Generated<string>
  object_format: Generated<ObjectFormat>
  units: Generated<string[]>
  /** Only what differs from the defaults. */
  settings: Generated<RepositorySettings>
  trust_model: Generated<TrustModel>
  topics: Generated<string[]>
  /** Name and topics in one text, for searches. */
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
  bytes: Generated<number>
}

export type RepositoryRow = Selectable<RepositoryTable>
export type NewRepositoryRow = Insertable<RepositoryTable>
export type RepositoryPatch = Updateable<RepositoryTable>
export type DeletedRow = Selectable<RepositoryDeletedTable>
export type TopicRow = Selectable<TopicTable>
export type TransferRow = Selectable<RepositoryTransferTable>
export type RepositoryCount = Omit<Selectable<RepositoryCountTable>, 'repository_id'>
