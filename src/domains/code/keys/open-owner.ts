/** Whose credentials these are, and whether the caller may change them. */
import { type Account, openManaged, openUser } from '#domains/people/users'
import type { Actor, Context } from '#platform/context'
import { forbidden, notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'

declare const opened: unique symbol
/** Somebody whose credentials the caller may change. Only the functions of this file make one. */
export type KeyOwner = Account & { readonly [opened]: true }

interface Path {
  readonly ctx: Context
  readonly params: { readonly username: string }
}

/** The caller. */
export function asOwner(visit: { ctx: Context }): KeyOwner {
  return asSignedIn(visit).account as KeyOwner
}

/** Anybody, for administrators of the forge. */
export async function openOwnerAsAdmin({ ctx, params }: Path): Promise<KeyOwner> {
  const { user } = await openManaged({ ctx }, params.username)
  return user as Account as KeyOwner
}

/**
 * The owner of access tokens, for the person and for administrators.
 *
 * Compat: a token is managed with HTTP Basic only, though a token may stand there in place of the password.
 */
export async function openOwnerOfTokens({ ctx, params }: Path): Promise<KeyOwner> {
  const owner: Account = await openUser(ctx, params.username)
  // An organization signs in nowhere, so it has no tokens either.
  if (owner.kind === 'organization') throw notFound('user', params.username)
  const actor: Actor = asSignedIn({ ctx })
  if (actor.id !== owner.id && !actor.isAdmin) throw forbidden('tokens can only be managed by their owner')
  if (actor.via !== 'basic' && actor.via !== 'session')
    throw new Problem('unauthenticated', 'tokens can only be managed with basic authentication')
  return owner as KeyOwner
}
