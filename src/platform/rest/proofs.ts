/** Proofs that the caller may act at all. Verbs take them, so a forgotten check does not compile. */
import type { Actor, Context } from '#platform/context'
import { Problem } from '#platform/problem'

declare const proven: unique symbol
/** A signed-in user. */
export interface SignedIn extends Actor {
  readonly [proven]: 'signed in'
}
/** An administrator of the site. */
export interface SiteAdmin extends Actor {
  readonly [proven]: 'site admin'
}

/** For operations open to everyone. */
export function asAnybody(): null {
  return null
}

export function asSignedIn({ ctx }: { ctx: Context }): SignedIn {
  if (ctx.actor === null) throw new Problem('unauthenticated', 'token is required')
  return ctx.actor as SignedIn
}

export function asSiteAdmin(visit: { ctx: Context }): SiteAdmin {
  const actor: Actor = asSignedIn(visit)
  if (!actor.isAdmin) throw new Problem('forbidden', 'user should be the site admin')
  return actor as SiteAdmin
}
