/** Transport: who may fetch and push what a repository keeps in git, over HTTP or SSH. */
export {
  type Fetchable,
  type GitPath,
  gitPathOf,
  openToFetch,
  openToPush,
  type Pushable,
} from './open-transport.ts'
