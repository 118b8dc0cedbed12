/**
 * A route is data: its parameters, its access check, its work and its answers.
 *
 * Slices declare routes; the HTTP edge serves them and generates the OpenAPI documents from them. `open` looks up and
 * checks access before the body is even read; `handle` does the work and presents it. So the order of refusals (404, 401,
 * 403, 423, then 422 for the body) holds by construction.
 */
import type { Readable } from 'node:stream'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Context } from '#platform/context'
import type { ProblemKind, RefusalKind } from '#platform/problem'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Input of a handler. `opened` is the result of `open`: the proof that access was checked. */
export interface Visit<Params, Query, Body, Opened> {
  readonly ctx: Context
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly opened: Opened
  /** The file sent to a route that takes one; null for other routes. */
  readonly upload: Upload | null
  /** Path and raw query as the client sent them: for links to other pages. */
  readonly address: { readonly path: string; readonly query: URLSearchParams }
}

/** One file, streamed. Fails with a problem when it exceeds the maximum size. */
export interface Upload {
  /** The client's file name; empty when absent. */
  readonly name: string
  readonly content: Readable
}

export interface Answer<Status extends number = number, Body = unknown> {
  readonly status: Status
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
}

/** Statuses a route can answer, each with the schema of its body; null means no body. */
export type Answers = Readonly<Record<number, TSchema | null>>
type AnswerOf<A extends Answers> = {
  [Status in keyof A & number]: Answer<Status, A[Status] extends TSchema ? Static<A[Status]> : undefined>
}[keyof A & number]

export type ProblemsAs = Readonly<Partial<Record<ProblemKind, ProblemKind>>>

/** For an operation whose specification lists 400 and not 422. */
export const MISTAKES_ARE_MALFORMED: ProblemsAs = { invalid: 'malformed', precondition: 'malformed' }

/** What most routes of a file share. */
interface GroupFacts {
  readonly tag: string
  /** Scopes a token needs, all of them; reading or writing follows from the method. */
  readonly scopes: readonly string[]
  readonly refusesPublicOnly?: boolean
  readonly alsoRefuses?: readonly RefusalKind[]
}

interface OwnFacts {
  readonly method: Method
  /** Below /api/v1, with parameters as `:name`; `*name` at the end takes the rest of the path, including slashes. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** A token limited to public resources is always refused. */
  readonly refusesPublicOnly?: boolean
  readonly deprecated?: boolean
  /** Served at the root, outside the API: an address for browsers, in no document. */
  readonly isPage?: boolean
  /** The body carries file content, so it may be larger than others. */
  readonly bearsContent?: boolean
  /** The body is a file: a form with one in it, or its bytes alone. */
  readonly takesFile?: boolean
  /** Kinds of refusal that the specification does not list for this operation, and the kind that it lists instead (D37). */
  readonly problemsAs?: ProblemsAs
  /** Kinds of refusal that do not follow from the shape of the route, for the documents. */
  readonly alsoRefuses?: readonly RefusalKind[]
}

interface OwnSpec<P extends TProperties, Q extends TProperties, B extends TSchema, A extends Answers, Opened>
  extends OwnFacts {
  readonly params?: TObject<P>
  readonly query?: TObject<Q>
  readonly body?: B
  readonly answers: A
  readonly open: (
    visit: Pick<
      Visit<Static<TObject<P>>, Static<TObject<Q>>, never, never>,
      'ctx' | 'params' | 'query' | 'address'
    >,
  ) => Opened | Promise<Opened>
  readonly handle: (
    visit: Visit<Static<TObject<P>>, Static<TObject<Q>>, Static<B>, Opened>,
  ) => Promise<AnswerOf<A>>
}

/** A route as the edge sees it, with its types erased. */
export interface Route extends OwnFacts, GroupFacts {
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly body: TSchema | undefined
  readonly answers: Answers
  readonly open: (visit: Omit<Visit<unknown, unknown, never, never>, 'body' | 'opened' | 'upload'>) => unknown
  readonly handle: (visit: Visit<unknown, unknown, unknown, unknown>) => Promise<Answer>
}

type Nothing = Record<never, TSchema>

export function route<
  Opened,
  A extends Answers,
  P extends TProperties = Nothing,
  Q extends TProperties = Nothing,
  B extends TSchema = TObject<Nothing>,
>(spec: OwnSpec<P, Q, B, A, Opened> & GroupFacts): Route {
  return {
    ...spec,
    params: spec.params,
    query: spec.query,
    body: spec.body,
    // The edge has validated what it passes by the same schemas.
    open: spec.open as Route['open'],
    handle: spec.handle as unknown as Route['handle'],
  }
}

/** Makes routes with these facts in common. */
export function routesOf(
  facts: GroupFacts,
): <
  Opened,
  A extends Answers,
  P extends TProperties = Nothing,
  Q extends TProperties = Nothing,
  B extends TSchema = TObject<Nothing>,
>(
  spec: OwnSpec<P, Q, B, A, Opened>,
) => Route {
  return (spec) => route({ ...facts, ...spec })
}

export function ok<T>(body: T): Answer<200, T> {
  return { status: 200, body }
}

export function created<T>(body: T): Answer<201, T> {
  return { status: 201, body }
}

export function noContent(): Answer<204, undefined> {
  return { status: 204, body: undefined }
}
