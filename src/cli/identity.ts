/** How the HTTP edge learns who somebody is: it speaks HTTP, the people slices know people. */
import { type Bearer, findBearer, PUBLIC_ONLY, renewBearer, scopeRefusal } from '#domains/keys'
import {
  actorOf,
  findAccount,
  findStillSignedIn,
  refusalOf,
  type SignedInAccount,
  signIn,
} from '#domains/users'
import type { Caller, Identity } from '#http'
import type { Context } from '#platform/context'

export const identity: Identity = {
  async identify(ctx, credential, from) {
    if (credential.kind === 'token') return byToken(ctx, credential.token, credential.scheme)
    const proven = await signIn(ctx, { ...credential, ...from })
    return proven && byPassword(proven)
  },

  async impersonate(ctx, login) {
    const account = await findAccount(ctx.db, login)
    if (account === undefined || account.kind !== 'user') return undefined
    return actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
  },

  scopeRefusal,
}

function byPassword(proven: SignedInAccount): Caller {
  const { account } = proven
  const actor = actorOf(account, { publicOnly: false, via: 'basic', tokenId: null })
  const renew = async (ctx: Context) => {
    const now = await findStillSignedIn(ctx.db, proven)
    return now && byPassword(now)
  }
  return { actor, refusal: refusalOf(account), scopes: null, renew }
}

async function byToken(ctx: Context, token: string, scheme: 'token' | 'basic'): Promise<Caller | undefined> {
  const bearer = await findBearer(ctx, token)
  return bearer && callerOf(bearer, token, scheme)
}

function callerOf(bearer: Bearer, token: string, scheme: 'token' | 'basic'): Caller {
  const actor = actorOf(bearer.account, {
    publicOnly: bearer.scopes.includes(PUBLIC_ONLY),
    via: scheme,
    tokenId: bearer.tokenId,
  })
  const renew = async (ctx: Context) => {
    const now = await renewBearer(ctx.db, token)
    return now && callerOf(now, token, scheme)
  }
  return { actor, refusal: refusalOf(bearer.account), scopes: bearer.scopes, renew }
}
