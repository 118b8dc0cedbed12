/**
 * Statuses: what checks said about commits, one by one and all together.
 *
 * Owns    table `commit_status`
 * Serves  /repos/:owner/:repo/statuses/:sha, /repos/:owner/:repo/commits/:ref/status and /statuses
 * Tells   status.created
 */
export type { StatusEvent } from './events.ts'
export { statusesRoutes } from './routes.ts'
export { findStatus } from './store.ts'
