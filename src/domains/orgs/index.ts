/**
 * Orgs: organizations, their teams, and who belongs to them.
 *
 * Owns    tables `organization`, `team`, `team_unit`, `team_member`
 * Serves  /orgs, /teams, /user/orgs, /user/teams, /users/:username/orgs, /admin/orgs; not their repositories
 * Tells   nothing yet
 */
export type { OrgRole } from './can-see-team.ts'
export { deleteOrganization } from './edit-org.ts'
export { isOrgOwner, loadTeamGrants, mayCreateRepository, type OrphanOrg, ownsAsLast } from './grants.ts'
export { leaveOrganizations } from './members.ts'
export {
  lookUpOrg,
  type MemberOrg,
  type OwnedOrg,
  openMemberOrg,
  openOrg,
  openOwnedOrg,
  type VisibleOrg,
} from './open-org.ts'
export { type OwnedTeam, openOwnedTeam, openTeam, type VisibleTeam } from './open-team.ts'
export { orgsRoutes } from './routes/index.ts'
export type { OrgRecord, TeamRecord } from './tables.ts'
export { findTeamByName, findTeamsOf, listTeamsWithAll, selectTeams } from './team-store.ts'
export type { GiveAllRepositories } from './teams.ts'
export { Organization, presentOrganization, presentTeam, Team } from './wire.ts'
