/**
 * The way in. Every request to a route of either kind passes here before its body is read, and is refused in this order
 * (D18): wrong credentials 401, account state 403, sudo 403 or 404, scope 403, and then whatever `open` finds.
 *
 * Whoever is let in to change something takes the way along: the transaction that does it goes it again.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { scopeRefusal } from '#domains/code/keys'
import { networkOf, visitorOf } from '#domains/people/users'
import type { Actor, Context, Visitor, World } from '#platform/context'
import type { SessionFacts } from '#platform/page'
import { Problem } from '#platform/problem'
import type { RawBearer, RawRoute, Route, Shown } from '#platform/rest'
import { readParams, readQuery } from '../input/read-query.ts'
import { cookieName, cookiesOf } from './cookies.ts'
import { type Credential, credentialsOf } from './credentials.ts'
import { bySession, type Caller, identify, impersonate } from './identify.ts'
import { isSameProof } from './same-proof.ts'

export interface Arrival {
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly params: Record<string, string>
  readonly path: string
  readonly query: URLSearchParams
  /** Where they may say who they are besides headers: for a protocol of its own, nowhere. */
  readonly credentialQuery: URLSearchParams
  readonly address: string
  /** Counts the request as soon as it is known whose it is, and throws when there have been too many. */
  readonly charge: (visitor: Visitor) => void
}

interface Arrived {
  readonly ctx: Context
  readonly params: unknown
  readonly query: unknown
  readonly address: { readonly path: string; readonly query: URLSearchParams }
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bearer: RawBearer | null
  /** Of a browser, where the way takes one. */
  readonly session: SessionFacts | null
}

export interface Entered extends Arrived {
  readonly opened: unknown
}

/** What there is to know of a route of either kind before somebody is let in. */
export type Way = Pick<Route, 'method' | 'path' | 'scopes' | 'refusesPublicOnly' | 'params' | 'query'> &
  Pick<RawRoute, 'onlyReads' | 'authenticate' | 'staysOpen' | 'admitsJobs' | 'takesSession'> & {
    readonly open: (visit: Arrived) => unknown
  }

export async function enter(
  world: World,
  way: Way,
  arrival: Arrival,
  per: Pick<Context, 'log' | 'signal'>,
): Promise<Entered> {
  const { ctx, bearer, session, renew } = await welcome({ ...world, ...per, actor: null }, way, arrival)
  const visit = {
    ctx,
    params: readParams(way.params, arrival.params),
    query: readQuery(way.query, arrival.query),
    address: { path: arrival.path, query: arrival.query },
    headers: arrival.headers,
    bearer,
    session,
  }
  const opened = await way.open(visit)
  // Who only looks is shown what they might see when they asked, unless they go on looking.
  if (way.method === 'GET' && !way.staysOpen) return { ...visit, opened }
  const reopen = async ({ reopen: _, ...ctx }: Context) => {
    const { actor, bearer } = await renew(ctx)
    if (!isSameProof(opened, await way.open({ ...visit, ctx: { ...ctx, actor }, bearer })))
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    return actor
  }
  return { ...visit, ctx: { ...ctx, reopen }, opened }
}

/** Whom a request is from: somebody, nobody, or a bearer, who is nobody but holds something. */
interface Who {
  readonly caller: Caller | undefined
  readonly bearer: RawBearer | undefined
}

interface Welcomed {
  readonly ctx: Context
  readonly bearer: RawBearer | null
  readonly session: SessionFacts | null
  readonly renew: (
    ctx: Context,
  ) => Promise<{ readonly actor: Actor | null; readonly bearer: RawBearer | null }>
}

/** Credentials, account state, sudo, scope: who the request is from, and how that is found out again. */
async function welcome(ctx: Context, way: Way, arrival: Arrival): Promise<Welcomed> {
  const nobody = { lane: 'nobody' as const, key: networkOf(arrival.address) }
  const who = await findWho(ctx, way, arrival).catch((error: unknown) => {
    arrival.charge(nobody)
    throw error
  })
  arrival.charge(visitorBy(who) ?? nobody)
  const judge = async (ctx: Context, { caller, bearer }: Who) => {
    if (caller !== undefined && caller.refusal !== null) throw new Problem('forbidden', caller.refusal)
    const own = caller?.actor ?? null
    const actor = way.takesSession === 'only' ? own : await sudo(ctx, own, arrival)
    if (caller !== undefined) assertReach(caller, way, arrival.query)
    return { actor, bearer: bearer ?? null }
  }
  const { actor, bearer } = await judge(ctx, who)
  const visitor = actor === null ? (visitorBy(who) ?? nobody) : visitorOf(actor)
  const renew = async (ctx: Context) => judge(ctx, await renewed(ctx, who))
  return { ctx: { ...ctx, actor, visitor }, bearer, session: who.caller?.session ?? null, renew }
}

async function findWho(ctx: Context, way: Way, arrival: Arrival): Promise<Who> {
  if (way.takesSession === 'only') return bySessionAlone(ctx, arrival)
  const shown = credentialsOf(arrival.headers.authorization, arrival.credentialQuery)
  const own = await way.authenticate?.(ctx, { headers: arrival.headers, ...tokenIn(shown) })
  if (own !== undefined && 'bearer' in own) return { caller: undefined, bearer: own.bearer }
  const credentials = own === undefined ? shown : credentialsOf(own.authorization, arrival.credentialQuery)
  const otp = arrival.headers['x-gitea-otp']
  for (const credential of credentials) {
    const from = { address: arrival.address, otp: typeof otp === 'string' ? otp : undefined }
    const caller = await identify(ctx, credential, from)
    if (caller !== undefined) return { caller, bearer: undefined }
  }
  if (credentials.length > 0) throw wrongCredentials()
  return way.takesSession ? bySessionAlone(ctx, arrival) : { caller: undefined, bearer: undefined }
}

/** A session that has ended makes the request anonymous; it is no mistake. */
async function bySessionAlone(ctx: Context, { headers }: Arrival): Promise<Who> {
  const token = cookiesOf(headers).get(cookieName(ctx.site, 'session'))
  return { caller: token === undefined ? undefined : await bySession(ctx, token), bearer: undefined }
}

/** A header holds one token at most, and clients of a protocol show none elsewhere. */
function tokenIn(credentials: readonly Credential[]): Pick<Shown, 'token'> {
  const found = credentials.find((it) => it.kind === 'token')
  return found === undefined ? {} : { token: { text: found.token, scheme: found.scheme } }
}

async function renewed(ctx: Context, who: Who): Promise<Who> {
  const caller = await who.caller?.renew(ctx)
  const bearer = await who.bearer?.renew(ctx)
  if ((who.caller && !caller) || (who.bearer && !bearer)) throw wrongCredentials()
  return { caller, bearer }
}

function visitorBy({ caller, bearer }: Who): Visitor | undefined {
  if (bearer !== undefined) return { lane: 'machine', key: bearer.name }
  return caller && visitorOf(caller.actor)
}

/** Routes of which `open` looks up a repository, and finds none but the one that was granted. */
const IN_REPOSITORY = /\/:owner\/:repo(\/|$)/

function wrongCredentials(): Problem {
  return new Problem('unauthenticated', 'invalid username, password or token')
}

function assertReach({ actor, scopes }: Caller, way: Way, query: URLSearchParams): void {
  const { onlyReads = way.method === 'GET' } = way
  const isRead = typeof onlyReads === 'function' ? onlyReads(query) : onlyReads
  const needs = { method: isRead ? ('GET' as const) : ('POST' as const), scopes: way.scopes }
  const lack = scopes === null ? undefined : scopeRefusal(scopes, needs)
  if (lack !== undefined) throw new Problem('forbidden', lack)
  const isOfJobs = way.admitsJobs === true || IN_REPOSITORY.test(way.path)
  if (actor.grant !== undefined && !isRead && !isOfJobs)
    throw new Problem('forbidden', 'token of a job is limited to its repository')
  if (actor.publicOnly && way.refusesPublicOnly)
    throw new Problem('forbidden', 'this endpoint is not available for public-only tokens')
}

async function sudo(ctx: Context, actor: Actor | null, arrival: Arrival): Promise<Actor | null> {
  const wanted = arrival.credentialQuery.get('sudo') || arrival.headers.sudo
  if (typeof wanted !== 'string' || wanted === '') return actor
  if (actor === null || !actor.isAdmin) throw new Problem('forbidden', 'only administrators may sudo')
  const target = await impersonate(ctx, wanted)
  if (target === undefined) throw new Problem('not_found', 'not found')
  // The credential stays the caller's, and so do its limits.
  return { ...target, publicOnly: actor.publicOnly, via: actor.via, tokenId: actor.tokenId }
}
