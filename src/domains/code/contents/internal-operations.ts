/** What pages show of code and the REST interface has no operation for. */
import type { InternalOperations } from '#platform/rest'
import { commitOperations } from './commits/commit-operations.ts'
import { diffOperations } from './commits/diff-operations.ts'
import { placeOperations } from './files/place-operations.ts'

export const contentsOperations = [...placeOperations, ...commitOperations, ...diffOperations] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof contentsOperations> {}
}
