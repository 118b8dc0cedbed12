/**
 * Contents: what is in a repository. Commits, branches, tags, files and the objects of git; who may fetch and push, and
 * what a push moves.
 *
 * Serves  /repos/:owner/:repo/commits, /branches, /tags, /contents, /git, /compare, /archive, /raw and their kin
 * Tells   push.received
 * Hears   push.received (languages, licence, counts of branches), repository.default_branch_changed
 */

export { CommitUser, presentPerson } from './commit-wire.ts'
export { contentsConsumers } from './consumers.ts'
export { countMoved } from './count-moved.ts'
export type { PushEvent } from './events.ts'
export { committing } from './move-refs.ts'
export { type GitPath, gitPathOf, openToFetch, openToPush } from './open-transport.ts'
export { findPeople } from './people.ts'
export { isDeployKey, type Pusher } from './pusher.ts'
export { contentsRoutes } from './routes/index.ts'
