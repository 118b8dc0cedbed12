/** The tables of repositories: the record, its counters, and who was given what. */
import type { Generated, Insertable, Selectable } from 'kysely'
import type { Collaboration } from '#domains/access'
import type { ObjectFormat } from '#git'

declare module '#platform/db' {
  interface Tables {
    repository: RepositoryTable
    repository_count: RepositoryCountTable
    collaboration: { repository_id: number; user_id: number; level: Collaboration; created_at: Date }
    team_repository: TeamRepositoryRow
    watch: { user_id: number; repository_id: number; created_at: Date }
  }
}

export interface TeamRepositoryRow {
  team_id: number
  repository_id: number
  organization_id: number
}

interface RepositoryTable {
  id: Generated<number>
  owner_id: number
  /** Where its git data is, as git storage knows it. */
  storage_id: number
  name: string
  name_key: string
  description: Generated<string>
  is_private: Generated<boolean>
  is_template: Generated<boolean>
  archived_at: Date | null
  default_branch: Generated<string>
  object_format: Generated<ObjectFormat>
  units: Generated<string[]>
  created_at: Date
  updated_at: Date
}

interface RepositoryCountTable {
  repository_id: number
  stars: Generated<number>
  forks: Generated<number>
  watchers: Generated<number>
  branches: Generated<number>
  open_issues: Generated<number>
  open_pulls: Generated<number>
  releases: Generated<number>
  bytes: Generated<number>
}

export type RepositoryRow = Selectable<RepositoryTable>
export type NewRepositoryRow = Insertable<RepositoryTable>
export type RepositoryCount = Omit<Selectable<RepositoryCountTable>, 'repository_id'>
