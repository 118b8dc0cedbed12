/** Everything people can be asked over REST. Every handler reads the same way: open, do, present. */
import type { Route } from '#platform/rest'
import { adminEmailRoutes } from './admin-emails.ts'
import { adminUserRoutes } from './admin-users.ts'
import { avatarRoutes } from './avatars.ts'
import { badgeRoutes } from './badges.ts'
import { blockRoutes } from './blocks.ts'
import { emailRoutes } from './emails.ts'
import { followRoutes } from './follows.ts'
import { profileRoutes } from './profiles.ts'

export const usersRoutes: readonly Route[] = [
  ...profileRoutes,
  ...avatarRoutes,
  ...emailRoutes,
  ...followRoutes,
  ...blockRoutes,
  ...adminUserRoutes,
  ...adminEmailRoutes,
  ...badgeRoutes,
]
