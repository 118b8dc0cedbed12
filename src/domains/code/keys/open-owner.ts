/** Opens the owner of credentials, if the caller may change them. */
import { type Account, openManaged, openUser } from '#domains/people/users'
import type { Actor, Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'

declare const opened: unique symbol
/** A user whose credentials the caller may change. Only the functions of this file create one. */
export type KeyOwner = Account & { readonly [opened]: true }

interface Path {
  readonly ctx: Context
  readonly params: { readonly username: string }
}

export function asOwner(visit: { ctx: Context }): KeyOwner {
  return asSignedIn(visit).account as KeyOwner
}

/** Any user, for site administrators. */
export async function openOwnerAsAdmin({ ctx, params }: Path): Promise<KeyOwner> {
  const { user } = await openManaged({ ctx }, params.username)
  return user as Account as KeyOwner
}

/**
 * The owner of access tokens, for the user and for site administrators.
 *
 * Compat: tokens are managed with HTTP Basic or in a web session, not with a bearer token. In HTTP Basic, a token can
 * replace the password.
 */
export async function openOwnerOfTokens({ ctx, params }: Path): Promise<KeyOwner> {
  const owner: Account = await openUser(ctx, params.username)
  // An organization cannot sign in, so it has no tokens.
  if (owner.kind === 'organization') throw notFound('user', params.username)
  const actor: Actor = asSignedIn({ ctx })
  if (actor.id !== owner.id && !actor.isAdmin) throw forbidden('tokens can only be managed by their owner')
  if (actor.via !== 'basic' && actor.via !== 'session')
    throw new Problem('unauthenticated', 'tokens can only be managed with basic authentication')
  return owner as KeyOwner
}
