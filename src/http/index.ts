/** The HTTP edge: names the caller, serves every slice's routes, answers every failure. Speaks a protocol, holds no rule. */
export { buildApp } from './app.ts'
export { validatorOf } from './input/read-body.ts'
export { openApiDocument } from './openapi/document.ts'
export { clientOf, typescriptOf } from './openapi/typescript.ts'
