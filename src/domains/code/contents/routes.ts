/** All routes of contents. */
import type { Route } from '#platform/rest'
import { branchRoutes } from './branches/routes.ts'
import { compareRoutes } from './commits/compare-routes.ts'
import { commitRoutes } from './commits/routes.ts'
import { changingRoutes } from './files/change-routes.ts'
import { rawRoutes } from './files/raw-routes.ts'
import { fileRoutes } from './files/routes.ts'
import { objectRoutes } from './objects/routes.ts'
import { mergeUpstreamRoutes } from './refs/merge-upstream-routes.ts'
import { tagRoutes } from './tags/routes.ts'

export const contentsRoutes: readonly Route[] = [
  ...commitRoutes,
  ...branchRoutes,
  ...tagRoutes,
  ...objectRoutes,
  ...fileRoutes,
  ...changingRoutes,
  ...rawRoutes,
  ...compareRoutes,
  ...mergeUpstreamRoutes,
]
