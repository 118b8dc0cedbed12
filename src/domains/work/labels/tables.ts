/** The tables of labels. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    label: LabelTable
    label_count: LabelCountTable
  }
}

/** Owned by either a repository or an organization. */
interface LabelTable {
  id: Generated<number>
  repository_id: number | null
  organization_id: number | null
  name: string
  color: string
  description: Generated<string>
  is_exclusive: Generated<boolean>
  archived_at: Date | null
  created_at: Date
  updated_at: Date
}

interface LabelCountTable {
  label_id: number
  issues: Generated<number>
  closed_issues: Generated<number>
}

export type LabelRow = Selectable<LabelTable>
export type NewLabelRow = Insertable<LabelTable>
export type LabelPatch = Updateable<LabelTable>
