/** Which failures a route can answer with: derived from its shape, so that no route must list them. */
import { type TSchema, Type } from 'typebox'
import type { Route } from '#platform/rest'

export interface Failure {
  readonly status: string
  readonly description: string
  readonly body?: TSchema
}

const Refusal = Type.Object({ message: Type.String(), url: Type.String() }, { title: 'Refusal' })

const ALWAYS: readonly Failure[] = [
  { status: '400', description: 'what was sent cannot be read', body: Refusal },
  { status: '401', description: 'credentials are missing or wrong', body: Refusal },
  { status: '403', description: 'the caller may not do this', body: Refusal },
  { status: '422', description: 'something that was sent is not valid', body: Refusal },
  { status: '429', description: 'too many requests, or failed attempts to sign in', body: Refusal },
  { status: '503', description: 'too many are at work here', body: Refusal },
]
const NAMED: readonly Failure[] = [
  { status: '301', description: 'it has another address for good' },
  { status: '307', description: 'it has another name now' },
]
const MISSING: Failure = { status: '404', description: 'it does not exist, or not for the caller' }
const WRITING: readonly Failure[] = [
  { status: '409', description: 'it is in conflict with what is there' },
  { status: '413', description: 'the body is too large', body: Refusal },
  { status: '423', description: 'the repository is archived', body: Refusal },
]

export function failuresOf(route: Route): Failure[] {
  return [
    ...ALWAYS,
    MISSING,
    ...(route.params === undefined ? [] : NAMED),
    ...(route.method === 'GET' ? [] : WRITING),
  ]
}
