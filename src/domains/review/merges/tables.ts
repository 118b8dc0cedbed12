/** The tables of merges. */
import type { Generated, Insertable, Selectable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    pull_merge: PullMergeTable
    pull_auto_merge: PullAutoMergeTable
  }
}

/** The API's names. `manually-merged`: merged outside the forge; the client names the commit. */
export type Style = 'merge' | 'rebase' | 'rebase-merge' | 'squash' | 'fast-forward-only' | 'manually-merged'

/** Styles that the forge performs itself. */
export type OwnStyle = Exclude<Style, 'manually-merged'>

interface PullMergeTable {
  issue_id: number
  style: Style
  base_oid: string
  head_oid: string
  tree: string
  merge_commit: string
  actor_id: number | null
  is_auto: boolean
  created_at: Date
}

interface PullAutoMergeTable {
  issue_id: number
  actor_id: number
  style: OwnStyle
  title: string
  message: string
  /** null: the repository's default. */
  deletes_branch: boolean | null
  /** The scheduled head; empty if inserted by a node of an older release. */
  head_oid: Generated<string>
  created_at: Date
}

export type MergeRow = Selectable<PullMergeTable>
export type NewMergeRow = Insertable<PullMergeTable>
export type AutoMergeRow = Selectable<PullAutoMergeTable>
export type NewAutoMergeRow = Insertable<PullAutoMergeTable>
