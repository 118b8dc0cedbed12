/** Transport: who may fetch and push what a repository keeps in git, over HTTP or SSH, and git over HTTP itself. */

import { defineSlice } from '#slices'
import { gitRoutes } from './smart-git.ts'

export { HeldBodies } from './held-bodies.ts'
export {
  type Fetchable,
  type GitPath,
  gitPathOf,
  openToFetch,
  openToPush,
  type Pushable,
} from './open-transport.ts'

export const slice = defineSlice({ name: 'transport', rawRoutes: gitRoutes })
