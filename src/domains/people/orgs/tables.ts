/** The tables of organizations and teams. Columns shared with users are in `account`. */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type { Level, Unit } from '#domains/people/access'
import type { Account } from '#domains/people/users'
import type { Visibility } from '#platform/rest'

declare module '#platform/db' {
  interface Tables {
    organization: OrganizationTable
    team: TeamTable
    team_unit: { team_id: number; unit: Unit; level: Level }
    team_member: { organization_id: number; team_id: number; user_id: number }
  }
}

interface OrganizationTable {
  account_id: number
  repo_admin_change_team_access: Generated<boolean>
}

interface TeamTable {
  id: Generated<number>
  organization_id: number
  name: string
  name_key: string
  description: Generated<string>
  level: Level
  visibility: Visibility
  includes_all_repositories: Generated<boolean>
  can_create_repository: Generated<boolean>
  created_at: Date
}

/** An organization: its account with counters, and its own columns. */
export type OrgRecord = Account & Omit<Selectable<OrganizationTable>, 'account_id'>

/** A team's level on each unit; missing units are not granted. */
export type UnitLevels = Partial<Record<Unit, Level>>

export type NewTeamRow = Insertable<TeamTable>
export type TeamPatch = Updateable<TeamTable>
export type TeamRecord = Selectable<TeamTable> & { readonly units: UnitLevels }
