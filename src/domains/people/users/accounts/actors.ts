/** From an account to somebody who acts. */
import type { Actor, Visitor } from '#platform/context'
import type { Account } from '../tables.ts'

declare module '#platform/context' {
  interface Actor {
    /** The account as it was when the request came in: what is shown of oneself needs no second query. */
    readonly account: Account
  }
}

type Credential = Pick<Actor, 'publicOnly' | 'via' | 'tokenId' | 'grant'>

export function actorOf(account: Account, credential: Credential): Actor {
  return {
    id: account.id,
    login: account.login,
    isAdmin: account.is_admin,
    isRestricted: account.is_restricted,
    account,
    ...credential,
  }
}

/** As whom they are counted, wherever there are bounds by visitor. */
export function visitorOf({ id, account }: Actor): Visitor {
  return { lane: account.kind === 'bot' ? 'machine' : 'person', key: String(id) }
}

/** Why an account may not act over the interface, if it may not. */
export function refusalOf(account: Account): string | null {
  if (!account.is_active || account.prohibits_login)
    return 'this account is prohibited from signing in, please contact your site administrator'
  if (account.must_change_password) return 'you must change your password'
  return null
}
