/** Operations of the web UI on code that the REST API does not have. */
import type { InternalOperations } from '#platform/rest'
import { branchOperations } from './branches/branch-operations.ts'
import { commitOperations } from './commits/commit-operations.ts'
import { diffOperations } from './commits/diff-operations.ts'
import { placeOperations } from './files/place-operations.ts'
import { forkOperations } from './refs/fork-operations.ts'

export const contentsOperations = [
  ...branchOperations,
  ...placeOperations,
  ...commitOperations,
  ...diffOperations,
  ...forkOperations,
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof contentsOperations> {}
}
