/** Converts an account to an actor. */
import { isLimited } from '#domains/people/access'
import type { Actor, Context, Visitor } from '#platform/context'
import type { Account } from '../tables.ts'

declare module '#platform/context' {
  interface Actor {
    /** The account as loaded for the request, which saves a second query for the caller's own data. */
    readonly account: Account
  }
}

type Credential = Pick<Actor, 'publicOnly' | 'via' | 'tokenId' | 'restriction'>

export function actorOf(account: Account, credential: Credential): Actor {
  return {
    id: account.id,
    login: account.login,
    // No restricted credential reaches administration, nor what only an administrator may see.
    isAdmin: account.is_admin && !isLimited(credential.restriction),
    isRestricted: account.is_restricted,
    account,
    ...credential,
  }
}

/** The identity under which per-visitor limits count the actor. */
export function visitorOf({ id, login, account }: Actor): Visitor {
  return { lane: account.kind === 'bot' ? 'machine' : 'person', key: String(id), name: login }
}

export const FACTOR_REQUIRED = 'two-factor authentication is required, set it up in your security settings'

/** Programs have no second factor, and sign in nowhere. */
export function lacksSecondFactor({
  kind,
  has_second_factor,
}: Pick<Account, 'kind' | 'has_second_factor'>): boolean {
  return kind === 'user' && !has_second_factor
}

/** Whether the site demands a second factor that the account does not have. */
export function lacksDemandedFactor({ config }: Context, account: Account): boolean {
  return config['sign_in.requires_second_factor'] && lacksSecondFactor(account)
}

export const SUSPENDED = 'this account is suspended, sign in with a browser to read why'

/** The reason why an account may not use the API; null when it may. */
export function refusalOf(account: Account): string | null {
  if (account.is_suspended) return SUSPENDED
  if (!account.is_active || account.prohibits_login)
    return 'this account is prohibited from signing in, please contact your site administrator'
  if (account.must_change_password) return 'you must change your password'
  return null
}
