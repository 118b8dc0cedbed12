/** All that can be asked about the content of repositories. */
import type { Route } from '#platform/rest'
import type { HasRelease } from '../tags.ts'
import { branchRoutes } from './branches.ts'
import { changingRoutes } from './change-files.ts'
import { commitRoutes } from './commits.ts'
import { compareRoutes } from './compare.ts'
import { fileRoutes } from './files.ts'
import { objectRoutes } from './git-objects.ts'
import { rawRoutes } from './raw.ts'
import { tagDeletion, tagRoutes } from './tags.ts'

/** What this slice is handed by whoever puts the forge together, because it is kept by slices above it. */
export interface ContentsNeeds {
  readonly hasRelease: HasRelease
}

export function contentsRoutes(needs: ContentsNeeds): readonly Route[] {
  return [
    ...commitRoutes,
    ...branchRoutes,
    ...tagRoutes,
    tagDeletion(needs.hasRelease),
    ...objectRoutes,
    ...fileRoutes,
    ...changingRoutes,
    ...rawRoutes,
    ...compareRoutes,
  ]
}
