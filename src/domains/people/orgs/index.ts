/**
 * Orgs: organizations, their teams and their members.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { purgeMember } from './organizations/purge-member.ts'
import { orgsRoutes } from './routes.ts'

export { hasUnitInOrg, isOrgOwner, mayCreateRepository, type OrphanOrg } from './grants.ts'
export { followTeams } from './members/follow-teams.ts'
export { joinTeam } from './members/members.ts'
export {
  lookUpOrg,
  type MemberOrg,
  type OwnedOrg,
  openMemberOrg,
  openOrg,
  openOwnedOrg,
  type VisibleOrg,
} from './organizations/open-org.ts'
export { findOrgsById } from './organizations/store.ts'
export { OrgPath } from './schemas.ts'
export type { OrgRecord, TeamRecord } from './tables.ts'
export type { OrgRole } from './teams/can-see-team.ts'
export { type OwnedTeam, openOwnedTeam, openTeam, type VisibleTeam } from './teams/open-team.ts'
export {
  findTeamByName,
  findTeams,
  findTeamsOf,
  listTeamMemberIds,
  listTeamsWithAll,
  selectTeams,
} from './teams/team-store.ts'
export { presentTeam, Team } from './wire.ts'

export const slice = defineSlice({
  name: 'orgs',
  tables: ['organization', 'team', 'team_unit', 'team_member'],
  routes: orgsRoutes,
  emits: ['team.includes_all', 'team.joined', 'account.purging', 'user.leaving', 'user.purging'],
  handlers: [handler('user.purging', purgeMember)],
})
