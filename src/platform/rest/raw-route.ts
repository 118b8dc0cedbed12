/**
 * A raw route is a route of a protocol that is not JSON: git, pictures, whatever has clients of its own. It is data like
 * `Route`, and the edge lets nobody in to one that it would keep from the other: credentials, account, sudo, scope, and
 * then what `open` finds. Only what is sent and answered is its own.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Context, Visitor } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Site } from '#platform/site'
import type { Api } from './api.ts'
import type { Method } from './route.ts'

/** Whoever comes with a credential that is no person's: nobody, but holding something. */
export interface RawBearer {
  /** One for each credential, for whoever counts. */
  readonly name: string
  /** The same bearer as of now; undefined when what they hold is worth nothing any more. */
  readonly renew: (ctx: Context) => Promise<RawBearer | undefined>
}

/** What a client of a protocol shows of itself. */
export interface PresentedCredentials {
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Of `Authorization`, where one came; that of HTTP Basic stands in the place of the name or of the password. */
  readonly token?: { readonly text: string; readonly scheme: 'token' | 'basic' }
}

/** A bearer, or the `Authorization` of a person that a token of the protocol stands for, which is empty for nobody's. */
export type Authenticated<Bearer> = { readonly bearer: Bearer } | { readonly authorization: string }

interface Arriving<Params, Query, Bearer> {
  readonly ctx: Context
  readonly params: Params
  readonly query: Query
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bearer: Bearer | null
}

/**
 * It can read by operations, as a page does; none that changes something. The scopes of the route are all that is asked of
 * a token, so they must be those of the operations.
 */
export interface RawVisit<Params, Query, Bearer, Opened> extends Arriving<Params, Query, Bearer>, Api {
  readonly opened: Opened
  /** Empty when the body is left in its stream. */
  readonly body: Buffer
  /** The body as it comes, if there is one and the route keeps it so. Whoever reads it bounds it. */
  readonly stream: Readable | null
  /** Only the headers are wanted: a body would be read for nobody. */
  readonly isHead: boolean
  /** For who has read a stream: refuses whoever would be refused by now, if it took long. */
  readonly assertStillWelcome: () => Promise<void>
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
  /** In traces; there is no document to name it. */
  readonly operationId: string
  /** Categories a token needs, all of them. People say who they are in headers only. */
  readonly scopes: readonly string[]
  /** A token limited to public things is refused altogether. */
  readonly refusesPublicOnly?: boolean
  /** Whether a token that may only read will do; the method says so where this does not. */
  readonly onlyReads?: boolean | ((query: URLSearchParams) => boolean)
  /**
   * The answer goes on for as long as the client stays: `ctx.reopen` asks again what let them in, and `ctx.signal` aborts
   * also when the node is drained.
   */
  readonly staysOpen?: boolean
  /**
   * A browser's session names the caller. With `only` nothing else does: tokens and passwords are ignored, because the
   * answer is gathered from operations whose scopes are not asked about one by one.
   */
  readonly takesSession?: boolean | 'only'
  /** A job may write here with its token, as far as `open` lets it. Elsewhere it writes only in its repository. */
  readonly admitsJobs?: boolean
  /** The body is left in its stream, and may take as long as a push. */
  readonly keepsStream?: boolean
  /**
   * `WWW-Authenticate` of a 401, for clients that say who they are only when they are asked to. Where there is no room
   * for strangers they are asked, and not sent away: see `inviting`.
   */
  readonly challenge?: string | ((site: Site) => string)
  /** How the protocol tells a failure; as everywhere where it does not say. The status is not its own. */
  readonly tellFailure?: (problem: Problem) => Pick<RawAnswer, 'headers' | 'body'>
}

/**
 * For a protocol with credentials of its own, asked before people are; undefined for what is none of them. Who holds a
 * token that stands for a person's `Authorization` is limited and asked again as that person.
 */
type Authenticate<Bearer> = (ctx: Context, shown: PresentedCredentials) => Promise<Authenticated<Bearer> | undefined>

interface RawSpec<P extends TProperties, Q extends TProperties, Bearer, Opened> extends Facts {
  readonly params?: TObject<P>
  readonly query?: TObject<Q>
  readonly authenticate?: Authenticate<Bearer>
  readonly open: (visit: Arriving<Static<TObject<P>>, Static<TObject<Q>>, Bearer>) => Opened | Promise<Opened>
  readonly handle: (
    visit: RawVisit<Static<TObject<P>>, Static<TObject<Q>>, Bearer, Opened>,
  ) => Promise<RawAnswer>
}

/** A raw route as the edge sees it, its types forgotten. */
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
    // The edge passes what it has read by these very schemas, and bearers that this route has found.
    open: spec.open as RawRoute['open'],
    handle: spec.handle as RawRoute['handle'],
  }
}

/** A person goes on as one where a stranger cannot, but clients of a protocol must be asked who they are. */
export function inviting(visitor: Visitor | undefined): (error: unknown) => never {
  return (error) => {
    const isCrowded = error instanceof Problem && (error.kind === 'too_many' || error.kind === 'unavailable')
    if (!isCrowded || visitor?.lane !== 'nobody') throw error
    throw new Problem('unauthenticated', `${error.message}, or sign in`, error.details)
  }
}
