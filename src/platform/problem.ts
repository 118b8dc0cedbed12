/**
 * A failure the caller may know about. It says what went wrong, never which status to send:
 * each edge (HTTP, SSH, job, command line) has its own table from `kind` to its own language.
 */
export type ProblemKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'moved'
  | 'method_not_allowed'
  | 'conflict'
  | 'empty_repository'
  | 'precondition'
  | 'locked'
  | 'too_large'
  | 'too_many'
  | 'unavailable'

/** Kinds that refuse a request, where `moved` sends it elsewhere. */
export type RefusalKind = Exclude<ProblemKind, 'moved'>

export class Problem extends Error {
  override name = 'Problem'
  readonly kind: ProblemKind
  readonly details: Record<string, unknown>

  constructor(kind: ProblemKind, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }
}

export function notFound(what: string, key: string | number): Problem {
  return new Problem('not_found', `${what} does not exist`, { what, key })
}

export function invalid(message: string, details: Record<string, unknown> = {}): Problem {
  return new Problem('invalid', message, details)
}

export function forbidden(message: string): Problem {
  return new Problem('forbidden', message)
}

/** What was asked for has another name now: every edge that can, sends the caller there. */
export function moved(from: string, to: string): Problem {
  return new Problem('moved', 'repository or owner was renamed', { from, to })
}
