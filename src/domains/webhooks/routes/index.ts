/** Every route of webhooks: the same set for each place that has hooks, and what only repositories have. */
import type { Route } from '#platform/rest'
import { deliveryRoutes } from './deliveries.ts'
import { gitHookRoutes } from './git-hooks.ts'
import { hookRoutes } from './hooks.ts'
import { orgScope, repositoryScope, siteScope, userScope } from './scopes.ts'
import { testHookRoutes } from './test-hook.ts'

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
