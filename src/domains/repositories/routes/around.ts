/** All that is around the record of a repository: who works on it, likes it, watches it, and how it is found. */
import type { Route } from '#platform/rest'
import { assigneeRoutes, collaboratorRoutes } from './collaborators.ts'
import { searchRoutes } from './search.ts'
import { starRoutes } from './stars.ts'
import { topicRoutes } from './topics.ts'
import { watchRoutes } from './watches.ts'

export const aroundRoutes: readonly Route[] = [
  ...searchRoutes,
  ...collaboratorRoutes,
  ...assigneeRoutes,
  ...starRoutes,
  ...watchRoutes,
  ...topicRoutes,
]
