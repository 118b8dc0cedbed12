/** All routes of organizations, their members and teams. */
import type { Route } from '#platform/rest'
import { publicMemberRoutes } from './members/public-routes.ts'
import { memberRoutes } from './members/routes.ts'
import { auditRoutes } from './organizations/audit-routes.ts'
import { avatarRoutes } from './organizations/avatar-routes.ts'
import { blockRoutes } from './organizations/block-routes.ts'
import { ofUserRoutes } from './organizations/of-users-routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { serviceAccountRoutes } from './service-accounts/routes.ts'
import { teamMemberRoutes } from './teams/member-routes.ts'
import { teamRoutes } from './teams/routes.ts'

export const orgsRoutes: readonly Route[] = [
  ...organizationRoutes,
  ...avatarRoutes,
  ...auditRoutes,
  ...ofUserRoutes,
  ...memberRoutes,
  ...publicMemberRoutes,
  ...blockRoutes,
  ...serviceAccountRoutes,
  ...teamRoutes,
  ...teamMemberRoutes,
]
