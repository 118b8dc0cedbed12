/** Exports for tests: the parts of a forge, and how it is assembled. */
export { internalOperations, rawRoutes, routes, slices, web, workOf } from './forge.ts'
export { loadConfig } from './load-config.ts'
export { type OpenWorld, openWorld } from './open-world.ts'
export { type OwnPostgres, startPostgres } from './postgres.ts'
export { type S3Server, startS3Server } from './s3-server.ts'
