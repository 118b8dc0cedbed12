/** The command line's door for tests: what a forge consists of, and how one is put together. */
export { internalOperations, rawRoutes, routes, slices, web, workOf } from './forge.ts'
export { loadConfig } from './load-config.ts'
export { type OpenWorld, openWorld } from './open-world.ts'
export { type OwnPostgres, startPostgres } from './postgres.ts'
