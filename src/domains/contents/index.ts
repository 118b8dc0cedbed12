/**
 * Contents: what is in a repository. As yet: who may fetch and push, and what a push moves.
 *
 * Tells   push.received
 */
export type { PushEvent } from './events.ts'
export { committing, pushHandlers } from './move-refs.ts'
export { openToFetch, openToPush, repositoryPathOf } from './open-transport.ts'
