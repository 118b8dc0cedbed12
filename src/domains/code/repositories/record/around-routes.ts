/** All that is around the record of a repository: who works on it, likes it, watches it, and how it is found. */
import type { Route } from '#platform/rest'
import { assigneeRoutes, collaboratorRoutes } from '../collaborators/routes.ts'
import { searchRoutes } from '../search/routes.ts'
import { starRoutes } from '../stars/routes.ts'
import { topicRoutes } from '../topics/routes.ts'
import { watchRoutes } from '../watches/routes.ts'

export const aroundRoutes: readonly Route[] = [
  ...searchRoutes,
  ...collaboratorRoutes,
  ...assigneeRoutes,
  ...starRoutes,
  ...watchRoutes,
  ...topicRoutes,
]
