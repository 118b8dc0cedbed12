/** Which failures a route can answer with: derived from its shape, so that no route must list them. */
import { type TSchema, Type } from 'typebox'
import type { ProblemKind } from '#platform/problem'
import type { Route } from '#platform/rest'
import { STATUS } from '../edge/failures.ts'

export interface Failure {
  readonly status: string
  readonly description: string
  readonly body?: TSchema
}

const Refusal = Type.Object({ message: Type.String(), url: Type.String() }, { title: 'Refusal' })

const ALWAYS: readonly Failure[] = [
  { status: '400', description: 'bad request: the request cannot be parsed', body: Refusal },
  { status: '401', description: 'unauthorized: credentials are missing or invalid', body: Refusal },
  { status: '403', description: 'forbidden: permission denied', body: Refusal },
  { status: '422', description: 'validation failed', body: Refusal },
  { status: '429', description: 'too many requests, or too many failed sign-in attempts', body: Refusal },
  { status: '503', description: 'service unavailable: the server is busy', body: Refusal },
]
const NAMED: readonly Failure[] = [
  { status: '307', description: 'an account in the path was renamed: the same request goes to the new name' },
  { status: '308', description: 'the repository was renamed: the same request goes to the new name' },
]
const NAMED_TO_READ: readonly Failure[] = [
  { status: '301', description: 'the repository was renamed: it is at the new name' },
  { status: '302', description: 'an account in the path was renamed: it is at the new name' },
]
const MISSING: Failure = { status: '404', description: 'not found, or not visible to the caller' }
const WRITING: readonly Failure[] = [
  { status: '409', description: 'conflict: it already exists, or was changed concurrently' },
  { status: '412', description: 'precondition failed: the state does not allow it', body: Refusal },
  { status: '413', description: 'request body is too large', body: Refusal },
  { status: '423', description: 'locked: the repository is archived', body: Refusal },
]

export function failuresOf(route: Route): Failure[] {
  const failures = [
    ...ALWAYS,
    MISSING,
    ...(route.params === undefined ? [] : route.method === 'GET' ? NAMED_TO_READ : NAMED),
    ...(route.method === 'GET' ? [] : WRITING),
  ]
  const unlisted = new Set(
    Object.keys(route.problemsAs ?? {}).map((kind) => String(STATUS[kind as ProblemKind])),
  )
  return failures.filter(({ status }) => !unlisted.has(status))
}
