/** All routes of organizations, their members and teams. */
import type { Route } from '#platform/rest'
import type { GiveAllRepositories } from '../teams.ts'
import { avatarRoutes } from './avatars.ts'
import { blockRoutes } from './blocks.ts'
import { memberRoutes } from './members.ts'
import { ofUserRoutes } from './of-users.ts'
import { organizationRoutes } from './organizations.ts'
import { publicMemberRoutes } from './public-members.ts'
import { teamMemberRoutes } from './team-members.ts'
import { teamRoutes } from './teams.ts'

/** Whoever puts the forge together hands in what is done when a team is to have every repository. */
export function orgsRoutes(giveAll: GiveAllRepositories): readonly Route[] {
  return [
    ...organizationRoutes,
    ...avatarRoutes,
    ...ofUserRoutes,
    ...memberRoutes,
    ...publicMemberRoutes,
    ...blockRoutes,
    ...teamRoutes(giveAll),
    ...teamMemberRoutes,
  ]
}
