/** The table of the merge queue. */
import type { GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { OwnStyle } from '../tables.ts'

declare module '#platform/db' {
  interface Tables {
    merge_queue_entry: MergeQueueEntryTable
  }
}

interface MergeQueueEntryTable {
  issue_id: number
  id: GeneratedAlways<number>
  repository_id: number
  actor_id: number
  style: OwnStyle
  title: string
  message: string
  /** null: the repository's default. */
  deletes_branch: boolean | null
  head_oid: string
  parent_oid: string | null
  tested_oid: string | null
  tested_tree: string | null
  fault: string | null
  tested_at: Date | null
  created_at: Date
}

export type EntryRow = Selectable<MergeQueueEntryTable>
export type NewEntryRow = Insertable<MergeQueueEntryTable>
