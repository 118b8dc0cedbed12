/** Transport: access to git repositories for fetch and push over HTTP and SSH, and the git HTTP protocol. */

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
