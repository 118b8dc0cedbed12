/** The tables of milestones. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    milestone: MilestoneTable
    milestone_count: MilestoneCountTable
  }
}

interface MilestoneTable {
  id: Generated<number>
  repository_id: number
  title: string
  description: string
  is_closed: boolean
  closed_at: Date | null
  due_at: Date | null
  created_at: Date
  updated_at: Date
}

interface MilestoneCountTable {
  milestone_id: number
  open_issues: Generated<number>
  closed_issues: Generated<number>
}

export type NewMilestoneRow = Insertable<MilestoneTable>
export type MilestonePatch = Updateable<MilestoneTable>
/** A milestone with its counters. */
export type MilestoneRow = Selectable<MilestoneTable> & Omit<Selectable<MilestoneCountTable>, 'milestone_id'>
