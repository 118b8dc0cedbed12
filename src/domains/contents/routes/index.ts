/** All that can be asked about the content of repositories. */
import type { Route } from '#platform/rest'
import { branchRoutes } from './branches.ts'
import { changingRoutes } from './change-files.ts'
import { commitRoutes } from './commits.ts'
import { compareRoutes } from './compare.ts'
import { fileRoutes } from './files.ts'
import { objectRoutes } from './git-objects.ts'
import { mergeUpstreamRoutes } from './merge-upstream.ts'
import { rawRoutes } from './raw.ts'
import { tagRoutes } from './tags.ts'

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
