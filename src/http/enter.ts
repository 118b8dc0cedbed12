/**
 * The way in. Every request to a route passes here before its body is read, and is refused in this order (D18):
 * wrong credentials 401, account state 403, sudo 403 or 404, scope 403, and then whatever `open` finds.
 *
 * Whoever is let in to change something takes the way along: the transaction that does it goes it again.
 */
import { visitorOf } from '#domains/users'
import type { Actor, Context, Visitor, World } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Route } from '#platform/rest'
import { type Credential, credentialsOf } from './credentials.ts'
import { readParams, readQuery } from './read-query.ts'
import { isSameProof } from './same-proof.ts'

/** Who a credential turned out to belong to, and how far it reaches. */
export interface Caller {
  readonly actor: Actor
  /** Why the account may not act, if it may not. */
  readonly refusal: string | null
  /** Scopes of a token; null for a password, which has no limits. */
  readonly scopes: readonly string[] | null
  /**
   * The same caller as they are now; undefined when the credential is worth nothing any more. What can be proven only
   * once, as the code of a second factor, is not asked for again.
   */
  readonly renew: (ctx: Context) => Promise<Caller | undefined>
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
  /** Counts the request as soon as it is known whose it is, and throws when there have been too many. */
  readonly charge: (visitor: Visitor) => void
}

export type Entered = Parameters<Route['open']>[0] & { readonly opened: unknown }

type Needs = Pick<Route, 'method' | 'scopes' | 'refusesPublicOnly'>

export async function enter(
  world: World,
  identity: Identity,
  route: Route,
  arrival: Arrival,
  per: Pick<Context, 'log' | 'signal'>,
): Promise<Entered> {
  const { reopen, ...ctx } = await identifyCaller({ ...world, ...per, actor: null }, identity, arrival, route)
  const visit = {
    ctx,
    params: readParams(route.params, arrival.params),
    query: readQuery(route.query, arrival.query),
    address: { path: arrival.path, query: arrival.query },
  }
  const opened = await route.open(visit)
  // Who only reads is shown what they might see when they asked.
  if (route.method === 'GET') return { ...visit, opened }
  const reopenAll = async (ctx: Context) => {
    const actor = await reopen(ctx)
    if (!isSameProof(opened, await route.open({ ...visit, ctx: { ...ctx, actor } })))
      throw new Problem('conflict', 'permissions were changed concurrently, please try again')
    return actor
  }
  return { ...visit, ctx: { ...ctx, reopen: reopenAll }, opened }
}

/** Credentials, account state, sudo, scope: who the request is from, and how that is found out again. */
export async function identifyCaller(
  ctx: Context,
  identity: Identity,
  arrival: Pick<Arrival, 'headers' | 'query' | 'address' | 'charge'>,
  needs: Needs,
): Promise<Context & Required<Pick<Context, 'reopen'>>> {
  const nobody = { lane: 'nobody' as const, key: arrival.address }
  const caller = await identify(ctx, identity, arrival).catch((error: unknown) => {
    arrival.charge(nobody)
    throw error
  })
  arrival.charge(caller?.actor ? visitorOf(caller.actor) : nobody)
  const judge = async (ctx: Context, caller: Caller | undefined) => {
    if (caller !== undefined && caller.refusal !== null) throw new Problem('forbidden', caller.refusal)
    const actor = await sudo(ctx, identity, caller?.actor ?? null, arrival)
    if (caller !== undefined) assertReach(identity, caller, needs)
    return actor
  }
  const actor = await judge(ctx, caller)
  const reopen = async (ctx: Context) => {
    const now = await caller?.renew(ctx)
    if (caller !== undefined && now === undefined) throw wrongCredentials()
    return judge(ctx, now)
  }
  const visitor = actor === null ? nobody : visitorOf(actor)
  return { ...ctx, actor, visitor, reopen }
}

async function identify(
  ctx: Context,
  identity: Identity,
  arrival: Pick<Arrival, 'headers' | 'query' | 'address'>,
): Promise<Caller | undefined> {
  const credentials = credentialsOf(arrival.headers.authorization as string | undefined, arrival.query)
  const otp = arrival.headers['x-gitea-otp']
  for (const credential of credentials) {
    const from = { address: arrival.address, otp: typeof otp === 'string' ? otp : undefined }
    const caller = await identity.identify(ctx, credential, from)
    if (caller !== undefined) return caller
  }
  if (credentials.length > 0) throw wrongCredentials()
  return undefined
}

function wrongCredentials(): Problem {
  return new Problem('unauthenticated', 'invalid username, password or token')
}

function assertReach(identity: Identity, { actor, scopes }: Caller, needs: Needs): void {
  const lack = scopes === null ? undefined : identity.scopeRefusal(scopes, needs)
  if (lack !== undefined) throw new Problem('forbidden', lack)
  if (actor.publicOnly && needs.refusesPublicOnly)
    throw new Problem('forbidden', 'this endpoint is not available for public-only tokens')
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
