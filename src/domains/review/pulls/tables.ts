/** The tables of pull requests. Title, body, people and timeline belong to the issue. */
import type { Generated, GeneratedAlways, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    pull_request: PullRequestTable
    pull_version: PullVersionTable
  }
}

/**
 * Result of merging one pair of commits. `merged`: the base contains the head. `empty`: merging changes no file.
 * `unrelated`: no common ancestor.
 */
export type Mergeability = 'checking' | 'mergeable' | 'conflict' | 'merged' | 'empty' | 'unrelated' | 'error'

interface PullRequestTable {
  issue_id: number
  id: GeneratedAlways<number>
  repository_id: number
  number: number
  is_open: boolean
  base_branch: string
  head_repository_id: number | null
  head_branch: string
  flow: 'branch' | 'agit'
  head_oid: string
  version: number
  merge_base: string
  allows_maintainer_edit: boolean
  checked_base_oid: Generated<string>
  checked_head_oid: Generated<string>
  mergeability: Mergeability
  conflicted_paths: Generated<string[]>
  additions: Generated<number | null>
  deletions: Generated<number | null>
  changed_files: Generated<number | null>
  review_comments: Generated<number>
  merged_at: Generated<Date | null>
  merged_by_id: Generated<number | null>
  merge_commit: Generated<string | null>
  created_at: Date
}

interface PullVersionTable {
  issue_id: number
  version: number
  head_oid: string
  base_oid: string
  merge_base: string
  is_forced: Generated<boolean>
  additions: Generated<number | null>
  deletions: Generated<number | null>
  changed_files: Generated<number | null>
  pusher_id: number | null
  created_at: Date
}

export type PullRow = Selectable<PullRequestTable>
export type NewPullRow = Insertable<PullRequestTable>
export type PullPatch = Updateable<PullRequestTable>
export type VersionRow = Selectable<PullVersionTable>
export type NewVersionRow = Insertable<PullVersionTable>
