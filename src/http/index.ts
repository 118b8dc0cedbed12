/** The HTTP edge: names the caller, serves every slice's routes, answers every failure. Speaks a protocol, holds no rule. */
export { buildApp } from './app.ts'
export type { Credential } from './credentials.ts'
export type { Caller, Identity, Origin } from './enter.ts'
export { openApiDocument } from './openapi/document.ts'
export { validatorOf } from './read-body.ts'
