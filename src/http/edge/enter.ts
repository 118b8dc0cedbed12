/**
 * Authentication and authorization. Every request to a route of either kind passes here before its body is read, and is
 * refused in this order (D18): wrong credentials 401, account state 403, sudo 403 or 404, scope 403, and then the
 * refusals of `open`.
 *
 * A request that changes something carries `reopen`: its transaction repeats these checks.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { scopeRefusal } from '#domains/code/keys'
import { type OperationEntry, recordRefusedSignIn } from '#domains/instance/audit'
import { routeRefusal } from '#domains/people/access'
import { FACTOR_REQUIRED, lacksDemandedFactor, networkOf, visitorOf } from '#domains/people/users'
import type { Actor, Context, Visitor, World } from '#platform/context'
import { logFailedSignIn } from '#platform/log'
import { Redirect, type SessionFacts } from '#platform/page'
import { Problem } from '#platform/problem'
import type { PresentedCredentials, RawBearer, RawRoute, Route } from '#platform/rest'
import { readParams, readQuery } from '../input/read-query.ts'
import { auditedCaller } from './audited-caller.ts'
import { cookieName, cookiesOf } from './cookies.ts'
import { type Credential, credentialsOf } from './credentials.ts'
import { bySession, type Caller, identify, impersonate } from './identify.ts'
import { isSameProof } from './same-proof.ts'
import { isReadRequest, TokenUses } from './token-uses.ts'

export interface IncomingRequest {
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly params: Record<string, string>
  readonly path: string
  readonly query: URLSearchParams
  /** Credentials in the query; empty for protocols that take them in headers only. */
  readonly credentialQuery: URLSearchParams
  readonly address: string
  /** As shown to administrators: method and path pattern. */
  readonly route: string
  /** Counts the request as soon as its visitor is known, and throws when the rate limit is exceeded. */
  readonly charge: (visitor: Visitor) => void
  readonly requestId: string
  /** Undefined for requests that change nothing. */
  readonly audit: OperationEntry | undefined
}

interface RequestContext {
  readonly ctx: Context
  readonly params: unknown
  readonly query: unknown
  readonly address: { readonly path: string; readonly query: URLSearchParams }
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly bearer: RawBearer | null
  readonly assertMayWrite: () => void
  /** The browser session, where the route takes one. */
  readonly session: SessionFacts | null
  readonly clientAddress: string
}

export interface OpenedRequest extends RequestContext {
  readonly opened: unknown
}

/** The facts of a route of either kind that access checks need. */
export type RouteFacts = Pick<
  Route,
  'method' | 'path' | 'operationId' | 'scopes' | 'refusesPublicOnly' | 'params' | 'query'
> &
  Pick<RawRoute, 'onlyReads' | 'authenticate' | 'staysOpen' | 'admitsRestricted' | 'takesSession'> & {
    readonly open: (visit: RequestContext) => unknown
  }

export async function enter(
  world: World,
  route: RouteFacts,
  incoming: IncomingRequest,
  per: Pick<Context, 'log' | 'signal'>,
): Promise<OpenedRequest> {
  const { bearer, session, assertMayWrite, renew, ...entered } = await authenticate(
    { ...world, ...per, actor: null },
    route,
    incoming,
  )
  const uses = new TokenUses(entered.ctx, route, incoming.query)
  const ctx = {
    ...entered.ctx,
    ...(incoming.audit !== undefined && { audit: incoming.audit }),
    ...(uses.needs !== undefined && { needs: uses.needs }),
  }
  const visit = {
    ctx,
    params: readParams(route.params, incoming.params),
    query: readQuery(route.query, incoming.query),
    address: { path: incoming.path, query: incoming.query },
    headers: incoming.headers,
    bearer,
    assertMayWrite,
    session,
    clientAddress: incoming.address,
  }
  const opened = await route.open(visit)
  uses.note()
  incoming.audit?.about(opened, incoming.params)
  // A GET is answered from what its caller might see when it began, unless the route stays open.
  if (route.method === 'GET' && !route.staysOpen) return { ...visit, opened }
  const reopen = async ({ reopen: _, ...ctx }: Context) => {
    const { actor, bearer } = await renew(ctx)
    if (!isSameProof(opened, await route.open({ ...visit, ctx: { ...ctx, actor }, bearer })))
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    return actor
  }
  return { ...visit, ctx: { ...ctx, reopen }, opened }
}

/** The caller: a user, anonymous, or a bearer, whose credential belongs to no user. */
interface Identity {
  readonly caller: Caller | undefined
  readonly bearer: RawBearer | undefined
}

interface AuthenticatedRequest {
  readonly ctx: Context
  readonly bearer: RawBearer | null
  readonly session: SessionFacts | null
  readonly assertMayWrite: () => void
  readonly renew: (
    ctx: Context,
  ) => Promise<{ readonly actor: Actor | null; readonly bearer: RawBearer | null }>
}

/** Credentials, account state, sudo, scope: identifies the caller, and returns how to repeat that. */
async function authenticate(
  ctx: Context,
  route: RouteFacts,
  incoming: IncomingRequest,
): Promise<AuthenticatedRequest> {
  const anonymous = { lane: 'nobody' as const, key: networkOf(incoming.address) }
  const routed = (visitor: Visitor): Visitor => ({ ...visitor, route: incoming.route })
  const identity = await findIdentity(ctx, route, incoming).catch(async (error: unknown) => {
    incoming.charge(routed(anonymous))
    await auditRefusal(ctx, incoming, error)
    throw error
  })
  incoming.charge(routed(visitorBy(identity) ?? anonymous))
  incoming.audit?.by(auditedCaller(identity, null))
  const judge = async (ctx: Context, { caller, bearer }: Identity) => {
    if (caller !== undefined && caller.refusal !== null) throw new Problem('forbidden', caller.refusal)
    const own = caller?.actor ?? null
    if (caller?.session && lacksDemandedFactor(ctx, caller.actor.account)) assertSettingUp(route)
    const actor = route.takesSession === 'only' ? own : await sudo(ctx, own, incoming)
    if (caller !== undefined) assertReach(caller, route, incoming.query)
    return { actor, bearer: bearer ?? null }
  }
  const { actor, bearer } = await judge(ctx, identity)
  incoming.audit?.by(auditedCaller(identity, actor))
  const visitor = routed(actor === null ? (visitorBy(identity) ?? anonymous) : visitorOf(actor))
  const renew = async (ctx: Context) => judge(ctx, await renewed(ctx, identity))
  const { caller } = identity
  const assertMayWrite = () => {
    if (caller !== undefined) assertReach(caller, { ...route, onlyReads: false }, incoming.query)
  }
  const session = caller?.session ?? null
  return { ctx: { ...ctx, actor, visitor }, bearer, session, assertMayWrite, renew }
}

async function findIdentity(ctx: Context, route: RouteFacts, incoming: IncomingRequest): Promise<Identity> {
  if (route.takesSession === 'only') return bySessionOnly(ctx, incoming)
  const shown = credentialsOf(incoming.headers.authorization, incoming.credentialQuery)
  const own = await route.authenticate?.(ctx, { headers: incoming.headers, ...tokenIn(shown) })
  if (own !== undefined && 'bearer' in own) return { caller: undefined, bearer: own.bearer }
  const credentials = own === undefined ? shown : credentialsOf(own.authorization, incoming.credentialQuery)
  const otp = incoming.headers['x-gitea-otp']
  for (const credential of credentials) {
    const from = { address: incoming.address, otp: typeof otp === 'string' ? otp : undefined }
    const caller = await identify(ctx, credential, from)
    if (caller !== undefined) return { caller, bearer: undefined }
  }
  // A password that is wrong was logged where it was verified.
  if (credentials.length > 0 && credentials.every(({ kind }) => kind === 'token'))
    logFailedSignIn(ctx.log, { address: incoming.address, by: 'token' })
  if (credentials.length > 0) throw wrongCredentials()
  return route.takesSession ? bySessionOnly(ctx, incoming) : { caller: undefined, bearer: undefined }
}

/** Where users set up the second factor that the site demands, and how they leave. */
const SETTING_UP = /^(page \/(user\/settings\/security|user\/logout)$)/

function assertSettingUp({ operationId, method, takesSession }: RouteFacts): void {
  if (SETTING_UP.test(operationId)) return
  if (method === 'GET' && takesSession === 'only') throw new Redirect('/user/settings/security', 303)
  throw new Problem('forbidden', FACTOR_REQUIRED)
}

/** Wrong credentials, or too many attempts: also of a request that would change nothing. */
async function auditRefusal(ctx: Context, incoming: IncomingRequest, error: unknown): Promise<void> {
  if (!(error instanceof Problem)) return
  const { address, requestId } = incoming
  const via = incoming.headers.authorization?.split(' ', 1)[0]?.toLowerCase() === 'basic' ? 'basic' : 'token'
  await recordRefusedSignIn(ctx, via, error.kind, { address, network: networkOf(address), requestId })
}

/** An expired session makes the request anonymous; it is not an error. */
async function bySessionOnly(ctx: Context, { headers }: IncomingRequest): Promise<Identity> {
  const token = cookiesOf(headers).get(cookieName(ctx.site, 'session'))
  return { caller: token === undefined ? undefined : await bySession(ctx, token), bearer: undefined }
}

/** A header holds at most one token, and protocol clients send none elsewhere. */
function tokenIn(credentials: readonly Credential[]): Pick<PresentedCredentials, 'token'> {
  const found = credentials.find((it) => it.kind === 'token')
  return found === undefined ? {} : { token: { text: found.token, scheme: found.scheme } }
}

async function renewed(ctx: Context, identity: Identity): Promise<Identity> {
  const caller = await identity.caller?.renew(ctx)
  const bearer = await identity.bearer?.renew(ctx)
  if ((identity.caller && !caller) || (identity.bearer && !bearer)) throw wrongCredentials()
  return { caller, bearer }
}

function visitorBy({ caller, bearer }: Identity): Visitor | undefined {
  if (bearer !== undefined) return { lane: 'machine', key: bearer.name }
  return caller && visitorOf(caller.actor)
}

function wrongCredentials(): Problem {
  return new Problem('unauthenticated', 'invalid username, password or token')
}

function assertReach({ actor, scopes }: Caller, route: RouteFacts, query: URLSearchParams): void {
  const isRead = isReadRequest(route, query)
  const needs = { method: isRead ? ('GET' as const) : ('POST' as const), scopes: route.scopes }
  const lack = scopes === null ? undefined : scopeRefusal(scopes, needs)
  if (lack !== undefined) throw new Problem('forbidden', lack)
  const { operationId, path, admitsRestricted = false } = route
  const refusal =
    actor.restriction && routeRefusal(actor.restriction, { operationId, path, isRead, admitsRestricted })
  if (refusal !== undefined) throw new Problem('forbidden', refusal)
  if (actor.publicOnly && route.refusesPublicOnly)
    throw new Problem('forbidden', 'this endpoint is not available for public-only tokens')
}

async function sudo(ctx: Context, actor: Actor | null, incoming: IncomingRequest): Promise<Actor | null> {
  const wanted = incoming.credentialQuery.get('sudo') || incoming.headers.sudo
  if (typeof wanted !== 'string' || wanted === '') return actor
  if (actor?.restriction !== undefined) throw new Problem('forbidden', 'a restricted token may not sudo')
  if (actor === null || !actor.isAdmin) throw new Problem('forbidden', 'only administrators may sudo')
  const target = await impersonate(ctx, wanted)
  if (target === undefined) throw new Problem('not_found', 'not found')
  // The credential stays the caller's, and so do its limits.
  return { ...target, publicOnly: actor.publicOnly, via: actor.via, tokenId: actor.tokenId }
}
