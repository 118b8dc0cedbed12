/**
 * A raw route belongs to a protocol that is not JSON: git, images, anything with its own clients. It is data like
 * `Route`, and the edge applies the same checks: credentials, account, sudo, scope, and then `open`. Only the request and
 * answer formats are its own.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Context, Visitor } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Site } from '#platform/site'
import type { Api } from './api.ts'
import type { Method } from './route.ts'

/** A caller whose credential belongs to no user. */
export interface RawBearer {
  /** Unique for each credential, for rate limits. */
  readonly name: string
  /** The same bearer as of now; undefined when the credential is no longer valid. */
  readonly renew: (ctx: Context) => Promise<RawBearer | undefined>
}

/** The credentials of a request. */
export interface PresentedCredentials {
  readonly headers: Readonly<IncomingHttpHeaders>
  /** From `Authorization`; with HTTP Basic the token is in place of the user name or password. */
  readonly token?: { readonly text: string; readonly scheme: 'token' | 'basic' }
}

/** A bearer, or the `Authorization` of the user that a token of the protocol stands for, empty for an anonymous token. */
export type Authenticated<Bearer> = { readonly bearer: Bearer } | { readonly authorization: string }

interface Arriving<Params, Query, Bearer> {
  readonly ctx: Context
  readonly params: Params
  readonly query: Query
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bearer: Bearer | null
  /** For a route whose body decides whether it writes: refuses a credential that only reads. */
  readonly assertMayWrite: () => void
}

/**
 * It can read by operations, as a page does, but not write. Only the scopes of the route are checked against a token, so
 * they must include those of the operations.
 */
export interface RawVisit<Params, Query, Bearer, Opened> extends Arriving<Params, Query, Bearer>, Api {
  readonly opened: Opened
  /** IP address of the client. */
  readonly clientAddress: string
  /** Empty when the body stays a stream. */
  readonly body: Buffer
  /** The body as a stream, if there is one and the route sets `keepsStream`. The reader must bound it. */
  readonly stream: Readable | null
  /** Only headers are sent, so a body need not be read. */
  readonly isHead: boolean
  /** For callers that have read a stream: checks access again, if reading took long. */
  readonly assertStillAllowed: () => Promise<void>
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | Readable | string | undefined
}

interface Facts {
  readonly method: Method
  /** From the root and not below /api/v1; parameters as in `Route`. */
  readonly path: string
  /** For traces; it is in no API document. */
  readonly operationId: string
  /** Scopes a token needs, all of them. Credentials are accepted in headers only. */
  readonly scopes: readonly string[]
  /** A token limited to public resources is always refused. */
  readonly refusesPublicOnly?: boolean
  /** Whether a read-only token suffices; by default the method decides. */
  readonly onlyReads?: boolean | ((query: URLSearchParams) => boolean)
  /**
   * The answer lasts until the client disconnects: `ctx.reopen` checks access again, and `ctx.signal` also aborts when
   * the node is drained.
   */
  readonly staysOpen?: boolean
  /**
   * A browser session identifies the caller. With `only` nothing else does: tokens and passwords are ignored, because the
   * answer combines operations whose scopes are not checked one by one.
   */
  readonly takesSession?: boolean | 'only'
  /** Its `open` knows restricted credentials. Elsewhere they reach only what `restricted-routes.ts` lists. */
  readonly admitsRestricted?: boolean
  /** The body stays a stream, and may take as long as a push. */
  readonly keepsStream?: boolean
  /**
   * `WWW-Authenticate` of a 401, for clients that send credentials only when challenged. When anonymous capacity is
   * exhausted they are challenged instead of refused: see `inviting`.
   */
  readonly challenge?: string | ((site: Site) => string)
  /** The protocol's own error format; the usual one when absent or undefined. The status stays the same. */
  readonly tellFailure?: (problem: Problem) => Pick<RawAnswer, 'headers' | 'body'> | undefined
}

/**
 * For a protocol with its own credentials, checked before those of users; undefined for other credentials. A caller with
 * a token that stands for a user's `Authorization` is limited and checked again as that user.
 */
type Authenticate<Bearer> = (
  ctx: Context,
  shown: PresentedCredentials,
) => Promise<Authenticated<Bearer> | undefined>

interface RawSpec<P extends TProperties, Q extends TProperties, Bearer, Opened> extends Facts {
  readonly params?: TObject<P>
  readonly query?: TObject<Q>
  readonly authenticate?: Authenticate<Bearer>
  readonly open: (visit: Arriving<Static<TObject<P>>, Static<TObject<Q>>, Bearer>) => Opened | Promise<Opened>
  readonly handle: (
    visit: RawVisit<Static<TObject<P>>, Static<TObject<Q>>, Bearer, Opened>,
  ) => Promise<RawAnswer>
}

/** A raw route as the edge sees it, with its types erased. */
export interface RawRoute extends Facts {
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly authenticate?: Authenticate<RawBearer>
  readonly open: (visit: Arriving<unknown, unknown, RawBearer>) => unknown
  readonly handle: (visit: RawVisit<unknown, unknown, RawBearer, unknown>) => Promise<RawAnswer>
}

type Nothing = Record<never, TSchema>

export function rawRoute<
  Opened,
  Bearer extends RawBearer = never,
  P extends TProperties = Nothing,
  Q extends TProperties = Nothing,
>(spec: RawSpec<P, Q, Bearer, Opened>): RawRoute {
  return {
    ...spec,
    params: spec.params,
    query: spec.query,
    // The edge passes values parsed by these same schemas, and bearers that this route has found.
    open: spec.open as RawRoute['open'],
    handle: spec.handle as RawRoute['handle'],
  }
}

/** A signed-in user is served where an anonymous one cannot be, so clients that wait for a challenge get one. */
export function inviting(visitor: Visitor | undefined): (error: unknown) => never {
  return (error) => {
    const isCrowded = error instanceof Problem && (error.kind === 'too_many' || error.kind === 'unavailable')
    if (!isCrowded || visitor?.lane !== 'nobody') throw error
    throw new Problem('unauthenticated', `${error.message}, or sign in`, error.details)
  }
}
