/** Resolves credentials to accounts, by the slices that know people. */
import { type Bearer, findBearer, PUBLIC_ONLY, renewBearer } from '#domains/code/keys'
import { mayComeFrom } from '#domains/people/access'
import {
  type Account,
  actorOf,
  FACTOR_REQUIRED,
  findAccount,
  findStillSignedIn,
  lacksDemandedFactor,
  refusalOf,
  type SignedInAccount,
  signIn,
} from '#domains/people/users'
import { findSession, renewSession, type WebSession } from '#domains/sign-in/sessions'
import type { Actor, Context } from '#platform/context'
import type { SessionFacts } from '#platform/page'
import type { Credential } from './credentials.ts'

/** The account of a credential, and what the credential permits. */
export interface Caller {
  readonly actor: Actor
  /** Why the account may not act; null if it may. */
  readonly refusal: string | null
  /** Scopes of a token; null for a password, which has no limits. */
  readonly scopes: readonly string[] | null
  /** The browser session, if that is the credential. */
  readonly session?: SessionFacts
  /**
   * The same caller as of now; undefined when the credential is no longer valid. Proofs that work only once, such as a
   * one-time code, are not checked again.
   */
  readonly renew: (ctx: Context) => Promise<Caller | undefined>
}

interface Origin {
  readonly address: string
  /** One-time code of a second factor. */
  readonly otp: string | undefined
}

export async function identify(
  ctx: Context,
  credential: Credential,
  from: Origin,
): Promise<Caller | undefined> {
  if (credential.kind === 'token') return byToken(ctx, credential.token, credential.scheme, from.address)
  const proven = await signIn(ctx, { ...credential, ...from })
  return proven && byPassword(ctx, proven)
}

/** The account of a browser session; undefined when it is no longer valid. */
export async function bySession(ctx: Context, token: string): Promise<Caller | undefined> {
  const session = await findSession(ctx, token)
  return session && browserOf(session, token)
}

function browserOf(session: WebSession, token: string): Caller {
  const actor = actorOf(session.account, { publicOnly: false, via: 'session', tokenId: null })
  const renew = async (ctx: Context) => {
    const now = await renewSession(ctx, token)
    return now && browserOf(now, token)
  }
  const { id, elevatedUntil, account } = session
  const facts = { id, elevatedUntil, language: account.language }
  return { actor, refusal: null, scopes: null, session: facts, renew }
}

/** The account an administrator wants to act as. */
export async function impersonate(ctx: Context, login: string): Promise<Actor | undefined> {
  const account = await findAccount(ctx.db, login)
  if (account === undefined || account.kind !== 'user') return undefined
  return actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
}

function byPassword(ctx: Context, proven: SignedInAccount): Caller {
  const { account } = proven
  const actor = actorOf(account, { publicOnly: false, via: 'basic', tokenId: null })
  const renew = async (ctx: Context) => {
    const now = await findStillSignedIn(ctx.db, proven)
    return now && byPassword(ctx, now)
  }
  return { actor, refusal: refusalOf(account) ?? factorRefusal(ctx, account), scopes: null, renew }
}

async function byToken(
  ctx: Context,
  token: string,
  scheme: 'token' | 'basic',
  address: string,
): Promise<Caller | undefined> {
  const bearer = await findBearer(ctx, token, address)
  return bearer && callerOf(ctx, bearer, token, scheme, address)
}

function callerOf(
  ctx: Context,
  bearer: Bearer,
  token: string,
  scheme: 'token' | 'basic',
  address: string,
): Caller {
  const actor = actorOf(bearer.account, {
    publicOnly: bearer.scopes.includes(PUBLIC_ONLY),
    via: scheme,
    tokenId: bearer.tokenId,
    ...(bearer.restriction && { restriction: bearer.restriction }),
  })
  const renew = async (ctx: Context) => {
    const now = await renewBearer(ctx, token)
    return now && callerOf(ctx, now, token, scheme, address)
  }
  return {
    actor,
    refusal: refusalOf(bearer.account) ?? factorRefusal(ctx, bearer.account) ?? refusalFrom(bearer, address),
    scopes: bearer.scopes,
    renew,
  }
}

function factorRefusal(ctx: Context, account: Account): string | null {
  return lacksDemandedFactor(ctx, account) ? FACTOR_REQUIRED : null
}

function refusalFrom({ restriction }: Bearer, address: string): string | null {
  return restriction === undefined || mayComeFrom(restriction, address)
    ? null
    : 'token may not be used from this address'
}
