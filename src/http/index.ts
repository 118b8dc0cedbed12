/**
 * The HTTP edge: identifies the caller, serves the routes of all slices, answers every failure. It speaks a protocol and
 * holds no rules.
 */
export { buildApp } from './app.ts'
export { Connections } from './edge/connections.ts'
export { validatorOf } from './input/read-body.ts'
export { openApiDocument } from './openapi/document.ts'
export { clientOf, typescriptOf } from './openapi/typescript.ts'
export { type ObservedNode, OperationsPort } from './operations.ts'
export { InProcessApi } from './serve/in-process-api.ts'
