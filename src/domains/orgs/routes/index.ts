/** All routes of organizations, their members and teams. */
import type { Route } from '#platform/rest'
import { avatarRoutes } from './avatars.ts'
import { blockRoutes } from './blocks.ts'
import { memberRoutes } from './members.ts'
import { ofUserRoutes } from './of-users.ts'
import { organizationRoutes } from './organizations.ts'
import { publicMemberRoutes } from './public-members.ts'
import { teamMemberRoutes } from './team-members.ts'
import { teamRoutes } from './teams.ts'

export const orgsRoutes: readonly Route[] = [
  ...organizationRoutes,
  ...avatarRoutes,
  ...ofUserRoutes,
  ...memberRoutes,
  ...publicMemberRoutes,
  ...blockRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
]
