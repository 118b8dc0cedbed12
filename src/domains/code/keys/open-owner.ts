/** Opens the owner of credentials, if the caller may change them. */

import { isOrgOwner } from '#domains/people/orgs'
import {
  type Account,
  findAccountById,
  lacksSecondFactor,
  openManaged,
  openUser,
} from '#domains/people/users'
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
  const isOrgs = await isOwnerOfService(ctx, actor, owner)
  if (actor.id !== owner.id && !actor.isAdmin && !isOrgs)
    throw forbidden('tokens can only be managed by their owner')
  if (actor.via !== 'basic' && actor.via !== 'session')
    throw new Problem('unauthenticated', 'tokens can only be managed with basic authentication')
  return owner as KeyOwner
}

/**
 * Owners of an organization manage the tokens of its service accounts, but not of one that became a site administrator,
 * and not without the second factor that their organization demands.
 */
async function isOwnerOfService(ctx: Context, actor: Actor, account: Account): Promise<boolean> {
  const { organization_id: id, is_admin } = account
  if (id === null || is_admin || !(await isOrgOwner(ctx.db, id, actor.id))) return false
  const org = await findAccountById(ctx.db, id)
  return org !== undefined && !(org.requires_second_factor && lacksSecondFactor(actor.account))
}
