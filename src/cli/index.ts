/** The command line's door for tests: what a forge consists of, and how one is put together. */
export { consumers, jobs, routes, tasks } from './forge.ts'
export { identity } from './identity.ts'
export { type OpenWorld, openWorld } from './open-world.ts'
export { type OwnPostgres, startPostgres } from './postgres.ts'
