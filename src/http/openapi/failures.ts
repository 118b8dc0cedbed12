/**
 * Which failures a route can answer with, when, and what such an answer looks like. Most kinds follow from the shape of
 * the route, and `alsoRefuses` names the others. The examples come from the code that answers, so they cannot drift from
 * it.
 */
import { type TSchema, Type } from 'typebox'
import { Problem, type RefusalKind } from '#platform/problem'
import type { Route } from '#platform/rest'
import { listedProblem, type RefusalAnswer, redirectOf, refusalOf } from '../edge/failures.ts'

export interface Failure {
  /** The name under which documents share the answer. Answers with the same name are equal. */
  readonly name: string
  readonly status: string
  readonly description: string
  readonly body?: TSchema
  readonly bodies: readonly NonNullable<RefusalAnswer['body']>[]
  readonly headers: readonly FailureHeader[]
}

export interface FailureHeader {
  readonly name: string
  readonly description: string
  readonly values: readonly string[]
}

interface Kind {
  readonly name: string
  readonly when: string
  readonly messages: readonly string[]
  readonly details?: Readonly<Record<string, unknown>>
}

const Refusal = Type.Object({ message: Type.String(), url: Type.String() }, { title: 'Refusal' })
const NO_BODY = 'The answer has no body; the header `message` gives the reason.'

/** Invariant: the forge really answers with these messages; `failures.test.ts` requests each of them. */
const KINDS: Readonly<Record<RefusalKind, Kind>> = {
  malformed: {
    name: 'BadRequest',
    when: 'The address or the body cannot be read, or the operation does not accept one of the arguments.',
    messages: ['address cannot be read'],
  },
  unauthenticated: {
    name: 'Unauthorized',
    when: 'The operation needs credentials and the request has none, or the credentials are wrong, expired or revoked. Wrong credentials are refused also where none are needed.',
    messages: ['token is required', 'invalid username, password or token'],
  },
  forbidden: {
    name: 'Forbidden',
    when: 'The caller is known but may not do this: the role or the scope of the token does not suffice, or the account is suspended.',
    messages: ['user should be the site admin', 'token lacks the scope write:user, it has read:user'],
  },
  not_found: {
    name: 'NotFound',
    when: `Something that the request names does not exist, or the caller may not see it. ${NO_BODY}`,
    messages: ['repository does not exist'],
  },
  method_not_allowed: {
    name: 'MethodNotAllowed',
    when: 'The state, the settings or a protection rule of the repository do not allow the operation.',
    messages: ['draft pull requests cannot be merged', 'repo is not owned by an organization'],
  },
  conflict: {
    name: 'Conflict',
    when: `Something with this name exists already, or somebody changed it at the same time. ${NO_BODY}`,
    messages: ['repository with the same name already exists'],
  },
  empty_repository: {
    name: 'EmptyRepository',
    when: 'The repository has no branch yet.',
    messages: ['repository is empty'],
  },
  precondition: {
    name: 'PreconditionFailed',
    when: 'The state of the issue or pull request does not allow the change, such as closing it while others block it.',
    messages: ['cannot close this issue or pull request because it still has open dependencies'],
  },
  too_large: {
    name: 'ContentTooLarge',
    when: 'The body, a file in it, or what git would have to do for it, is larger than the forge allows.',
    messages: ['request body is too large'],
  },
  invalid: {
    name: 'ValidationFailed',
    when: 'A value of the body or the query is missing, of the wrong type, out of bounds, or does not fit the others.',
    messages: ['name: is required', 'body is not valid JSON'],
  },
  locked: {
    name: 'Locked',
    when: 'The repository is archived or a mirror, and therefore read-only.',
    messages: ['repository is archived'],
  },
  too_many: {
    name: 'TooManyRequests',
    when: 'The caller has sent too many requests, or too many wrong passwords. `retry-after` says how many seconds to wait.',
    messages: ['too many requests, please try again later'],
    details: { retryAfterS: 60 },
  },
  unavailable: {
    name: 'Unavailable',
    when: 'The node is busy, or its database, object store or git did not answer in time. `retry-after` says how many seconds to wait.',
    messages: ['server is busy: too many request bodies are being sent'],
  },
}

const BEFORE_WORK: readonly RefusalKind[] = [
  'malformed',
  'unauthenticated',
  'forbidden',
  'not_found',
  'invalid',
]
const ALWAYS: readonly RefusalKind[] = [...BEFORE_WORK, 'too_many', 'unavailable']
const WRITING: readonly RefusalKind[] = ['conflict', 'too_large', 'locked']

const HEADERS: Readonly<Record<string, string>> = {
  location: 'The same address with the new name.',
  message: 'Why the request was refused.',
  url: 'The page that describes the interface.',
  'retry-after': 'Seconds to wait before the request is sent again.',
}

export function failuresOf(route: Route, docsUrl: string): Failure[] {
  const kinds = [...ALWAYS, ...(route.method === 'GET' ? [] : WRITING), ...(route.alsoRefuses ?? [])]
  const statusOf = (kind: RefusalKind) =>
    refusalOf(listedProblem(route, new Problem(kind, '')), docsUrl).status
  const refusals = [...Map.groupBy(kinds, statusOf).values()].map((it) => refusal(route, it, docsUrl))
  return route.params === undefined ? refusals : [...refusals, ...redirects(route, docsUrl)]
}

/** One answer for all kinds of problems that the route answers with the same status. */
function refusal(route: Route, kinds: readonly RefusalKind[], docsUrl: string): Failure {
  const shown = kinds.map((kind) => ({ kind, ...KINDS[kind] }))
  const answers = shown.flatMap(({ kind, messages, details }) =>
    messages.map((it) => refusalOf(listedProblem(route, new Problem(kind, it, details)), docsUrl)),
  )
  const name = shown.map((it) => it.name).join('Or')
  return failure(name, shown.map(({ when }) => when).join(' Or: '), answers)
}

function redirects({ method }: Route, docsUrl: string): Failure[] {
  const isRead = method === 'GET'
  const how = isRead
    ? 'It is at the new name.'
    : 'The same request, with its method and body, goes to the new name.'
  const renamed = (name: string, what: string, details: { from: string; to: string; isForGood: boolean }) => {
    const problem = new Problem('moved', 'repository or owner was renamed', details)
    const url = `/api/v1/repos/${details.isForGood ? details.from : `${details.from}/site`}`
    const answer = redirectOf(problem, { method, url }, docsUrl)
    return failure(`${name}${isRead ? '' : 'KeepMethod'}`, `${what} was renamed. ${how}`, [answer])
  }
  return [
    renamed('RepositoryRenamed', 'The repository', { from: 'ann/old', to: 'ann/new', isForGood: true }),
    renamed('AccountRenamed', 'An account in the path', { from: 'bob', to: 'bobby', isForGood: false }),
  ]
}

function failure(name: string, description: string, answers: readonly RefusalAnswer[]): Failure {
  const bodies = answers.flatMap(({ body }) => body ?? [])
  const names = [...new Set(answers.flatMap(({ headers }) => Object.keys(headers)))]
  return {
    name,
    status: String(answers[0]?.status),
    description,
    ...(bodies.length === 0 ? {} : { body: Refusal }),
    bodies,
    headers: names.map((header) => ({
      name: header,
      description: HEADERS[header] ?? '',
      values: [...new Set(answers.flatMap(({ headers }) => headers[header] ?? []))],
    })),
  }
}
