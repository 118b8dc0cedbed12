/**
 * A failure that the caller may see. It names what went wrong, never a status: each edge (HTTP, SSH, job, command line)
 * maps `kind` to its own codes.
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
  | 'lost'

/** Kinds that refuse a request; `moved` redirects it, and `lost` is a failure of the server. */
export type RefusalKind = Exclude<ProblemKind, 'moved' | 'lost'>

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

/** The resource was renamed: edges that can, redirect the caller. */
export function moved(from: string, to: string): Problem {
  return new Problem('moved', 'repository or owner was renamed', { from, to })
}
