/** All REST routes of users. */
import type { Route } from '#platform/rest'
import { adminUserRoutes } from './accounts/admin-routes.ts'
import { avatarRoutes } from './avatars/routes.ts'
import { badgeRoutes } from './badges/routes.ts'
import { adminEmailRoutes } from './emails/admin-routes.ts'
import { emailRoutes } from './emails/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { blockRoutes } from './social/block-routes.ts'
import { followRoutes } from './social/follow-routes.ts'
import { suspensionRoutes } from './suspension/routes.ts'

export const usersRoutes: readonly Route[] = [
  ...profileRoutes,
  ...avatarRoutes,
  ...emailRoutes,
  ...followRoutes,
  ...blockRoutes,
  ...adminUserRoutes,
  ...adminEmailRoutes,
  ...suspensionRoutes,
  ...badgeRoutes,
]
