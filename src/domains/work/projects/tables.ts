/** The tables of projects. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

declare module '#platform/db' {
  interface Tables {
    project: ProjectTable
    project_column: ProjectColumnTable
    project_card: ProjectCardTable
    project_count: ProjectCountTable
    project_rule: { project_id: number; event: RuleEvent; column_id: number }
  }
}

export type TemplateType = 'none' | 'basic_kanban' | 'bug_triage'
/** What happens to an issue or pull request, so that a rule moves its card. */
export type RuleEvent = 'closed' | 'merged' | 'reopened'
export type CardType = 'text_only' | 'images_and_text'

/** Owned by a repository or an account: one of the two ids is null. */
interface ProjectTable {
  id: Generated<number>
  repository_id: number | null
  owner_id: number | null
  creator_id: number | null
  title: string
  description: string
  template_type: TemplateType
  card_type: CardType
  is_closed: Generated<boolean>
  closed_at: Generated<Date | null>
  created_at: Date
  updated_at: Date
}

interface ProjectColumnTable {
  id: Generated<number>
  project_id: number
  creator_id: number | null
  title: string
  color: string
  is_default: boolean
  sorting: number
  created_at: Date
  updated_at: Date
}

/** `repository_id` and `is_pull` are copied from the issue. */
interface ProjectCardTable {
  issue_id: number
  project_id: number
  column_id: number
  repository_id: number
  is_pull: boolean
  sorting: number
}

interface ProjectCountTable {
  project_id: number
  repository_id: number
  is_pull: boolean
  open_issues: Generated<number>
  closed_issues: Generated<number>
}

export type ProjectRow = Selectable<ProjectTable>
export type NewProjectRow = Insertable<ProjectTable>
export type ProjectPatch = Updateable<ProjectTable>
export type ColumnRow = Selectable<ProjectColumnTable>
export type NewColumnRow = Insertable<ProjectColumnTable>
export type ColumnPatch = Updateable<ProjectColumnTable>
export type CardRow = Selectable<ProjectCardTable>
