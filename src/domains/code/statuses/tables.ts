/** The table of statuses. */
import type { Generated, Insertable, Selectable } from 'kysely'
import type { State } from './combine.ts'

declare module '#platform/db' {
  interface Tables {
    commit_status: CommitStatusTable
  }
}

interface CommitStatusTable {
  id: Generated<number>
  repository_id: number
  oid: string
  /** The name of the check; the newest row of each context counts. */
  context: string
  state: State
  description: string
  target_url: string
  /** null: the creator's account was deleted. */
  creator_id: number | null
  created_at: Date
}

export type StatusRow = Selectable<CommitStatusTable>
export type NewStatusRow = Insertable<CommitStatusTable>
