/** The HTTP status of each kind of problem. Other protocols answer with HTTP's numbers, too: SCIM in its bodies, Git LFS over SSH. */
import type { ProblemKind } from '#platform/problem'

export const STATUS: Readonly<Record<ProblemKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  moved: 302,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  empty_repository: 409,
  precondition: 412,
  too_large: 413,
  invalid: 422,
  locked: 423,
  too_many: 429,
  unavailable: 503,
  lost: 500,
}
