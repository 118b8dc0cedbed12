/**
 * The way in. Every request to a route passes here before its body is read, and is refused in this order (D18):
 * wrong credentials 401, account state 403, sudo 403 or 404, scope 403, and then whatever `open` finds.
 */
import { visitorOf } from '#domains/users'
import type { Actor, Context, World } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Route } from '#platform/rest'
import { type Credential, credentialsOf } from './credentials.ts'
import { readParams, readQuery } from './read-query.ts'

/** Who a credential turned out to belong to, and how far it reaches. */
export interface Caller {
  readonly actor: Actor
  /** Why the account may not act, if it may not. */
  readonly refusal: string | null
  /** Scopes of a token; null for a password, which has no limits. */
  readonly scopes: readonly string[] | null
}

/** How the edge learns who somebody is; handed in, because it is the people slices that know. */
export interface Identity {
  readonly identify: (ctx: Context, credential: Credential, from: Origin) => Promise<Caller | undefined>
  /** The account an administrator wants to act as. */
  readonly impersonate: (ctx: Context, login: string) => Promise<Actor | undefined>
  /** Says which scope a token lacks for these categories; undefined when it lacks none. */
  readonly scopeRefusal: (
    scopes: readonly string[],
    needs: Pick<Route, 'method' | 'scopes'>,
  ) => string | undefined
}

export interface Origin {
  readonly address: string
  /** One-time code of a second factor. */
  readonly otp: string | undefined
}

export interface Arrival {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Record<string, string>
  readonly path: string
  readonly query: URLSearchParams
  readonly address: string
}

export type Entered = Parameters<Route['open']>[0] & { readonly opened: unknown }

const NOBODY: Pick<Caller, 'refusal' | 'scopes'> & { actor: null } = {
  actor: null,
  refusal: null,
  scopes: null,
}

export async function enter(
  world: World,
  identity: Identity,
  route: Route,
  arrival: Arrival,
  per: Pick<Context, 'log' | 'signal'>,
): Promise<Entered> {
  const { ctx, scopes } = await identifyCaller({ ...world, ...per, actor: null }, identity, arrival)
  if (scopes !== null) {
    const lack = identity.scopeRefusal(scopes, route)
    if (lack !== undefined) throw new Problem('forbidden', lack)
  }
  if (ctx.actor?.publicOnly && route.refusesPublicOnly)
    throw new Problem('forbidden', 'this endpoint is not available for public-only tokens')
  const visit = {
    ctx,
    params: readParams(route.params, arrival.params),
    query: readQuery(route.query, arrival.query),
    address: { path: arrival.path, query: arrival.query },
  }
  return { ...visit, opened: await route.open(visit) }
}

/** Credentials, account state, sudo: who the request is from, and how far its credential reaches. */
export async function identifyCaller(
  ctx: Context,
  identity: Identity,
  arrival: Pick<Arrival, 'headers' | 'query' | 'address'>,
): Promise<{ ctx: Context; scopes: readonly string[] | null }> {
  const caller = await identify(ctx, identity, arrival)
  if (caller.refusal !== null) throw new Problem('forbidden', caller.refusal)
  const actor = await sudo(ctx, identity, caller.actor, arrival)
  const visitor = actor === null ? { lane: 'nobody' as const, key: arrival.address } : visitorOf(actor)
  return { ctx: { ...ctx, actor, visitor }, scopes: caller.scopes }
}

async function identify(
  ctx: Context,
  identity: Identity,
  arrival: Pick<Arrival, 'headers' | 'query' | 'address'>,
): Promise<Caller | typeof NOBODY> {
  const credentials = credentialsOf(arrival.headers.authorization as string | undefined, arrival.query)
  const otp = arrival.headers['x-gitea-otp']
  for (const credential of credentials) {
    const from = { address: arrival.address, otp: typeof otp === 'string' ? otp : undefined }
    const caller = await identity.identify(ctx, credential, from)
    if (caller !== undefined) return caller
  }
  if (credentials.length > 0) throw new Problem('unauthenticated', 'invalid username, password or token')
  return NOBODY
}

async function sudo(
  ctx: Context,
  identity: Identity,
  actor: Actor | null,
  arrival: Pick<Arrival, 'headers' | 'query'>,
): Promise<Actor | null> {
  const wanted = arrival.query.get('sudo') || arrival.headers.sudo
  if (typeof wanted !== 'string' || wanted === '') return actor
  if (actor === null || !actor.isAdmin) throw new Problem('forbidden', 'only administrators may sudo')
  const target = await identity.impersonate(ctx, wanted)
  if (target === undefined) throw new Problem('not_found', 'not found')
  // The credential stays the caller's, and so do its limits.
  return { ...target, publicOnly: actor.publicOnly, via: actor.via, tokenId: actor.tokenId }
}
