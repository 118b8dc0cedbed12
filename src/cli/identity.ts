/** How the HTTP edge learns who somebody is: it speaks HTTP, the people slices know people. */
import { findBearer, PUBLIC_ONLY, scopeRefusal } from '#domains/keys'
import { actorOf, findAccount, refusalOf, signIn } from '#domains/users'
import type { Caller, Identity } from '#http'
import type { Context } from '#platform/context'

export const identity: Identity = {
  async identify(ctx, credential, from) {
    if (credential.kind === 'token') return byToken(ctx, credential.token, credential.scheme)
    const account = await signIn(ctx, { ...credential, ...from })
    if (account === undefined) return undefined
    const actor = actorOf(account, { publicOnly: false, via: 'basic', tokenId: null })
    return { actor, refusal: refusalOf(account), scopes: null }
  },

  async impersonate(ctx, login) {
    const account = await findAccount(ctx.db, login)
    if (account === undefined || account.kind !== 'user') return undefined
    return actorOf(account, { publicOnly: false, via: 'process', tokenId: null })
  },

  scopeRefusal,
}

async function byToken(ctx: Context, token: string, scheme: 'token' | 'basic'): Promise<Caller | undefined> {
  const bearer = await findBearer(ctx, token)
  if (bearer === undefined) return undefined
  const actor = actorOf(bearer.account, {
    publicOnly: bearer.scopes.includes(PUBLIC_ONLY),
    via: scheme,
    tokenId: bearer.tokenId,
  })
  return { actor, refusal: refusalOf(bearer.account), scopes: bearer.scopes }
}
