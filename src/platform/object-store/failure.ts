/** Translates errors of drivers for callers of the store. */
import { AssertionError } from 'node:assert/strict'
import { Problem } from '#platform/problem'
import { BodyFailure } from './body.ts'

export interface Attempt {
  readonly verb: 'create' | 'read' | 'stat' | 'delete' | 'list'
  readonly key: string
  readonly signal?: AbortSignal | undefined
  /** Address and bucket of the service, or the folder. */
  readonly store: string
}

/** An abort yields its reason, a broken body its own error, a failing store a Problem 'unavailable'. */
export function explainFailure(thrown: unknown, attempt: Attempt): Error {
  if (attempt.signal?.aborted) return toError(attempt.signal.reason)
  const error = toError(thrown)
  if (error instanceof BodyFailure) return toError(error.cause)
  if (error instanceof Problem || isOurFault(error)) return error
  const problem = new Problem('unavailable', 'object store failed', {
    verb: attempt.verb,
    key: attempt.key,
    store: attempt.store,
    failure: 'code' in error && typeof error.code === 'string' ? error.code : error.name,
  })
  problem.cause = error
  return problem
}

/** A mistake in our code must not look like an unavailable store. */
function isOurFault(error: Error): boolean {
  return error instanceof AssertionError || error instanceof TypeError || error instanceof RangeError
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
