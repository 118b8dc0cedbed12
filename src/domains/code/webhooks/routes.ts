/** All routes of webhooks: the same set for each scope, and those of repositories only. */
import { orgScope, repositoryScope, siteScope, userScope } from '#domains/code/scopes'
import type { Route } from '#platform/rest'
import { deliveryRoutes } from './deliveries/routes.ts'
import { testHookRoutes } from './deliveries/test-hook-routes.ts'
import { gitHookRoutes } from './hooks/git-hook-routes.ts'
import { hookRoutes } from './hooks/routes.ts'

export const webhooksRoutes: readonly Route[] = [
  ...gitHookRoutes,
  ...hookRoutes(repositoryScope),
  ...testHookRoutes,
  ...hookRoutes(orgScope),
  ...hookRoutes(userScope),
  ...hookRoutes(siteScope),
  ...deliveryRoutes(repositoryScope),
  ...deliveryRoutes(orgScope),
  ...deliveryRoutes(userScope),
  ...deliveryRoutes(siteScope),
]
