/** A scope that the caller may change. Only `open…` functions and `scopeOf` create one, so holding one is proof. */

import { type Administered, openToAdmin, openToOwn } from '#domains/code/repositories'
import { openOwnedOrg } from '#domains/people/orgs'
import type { Context } from '#platform/context'
import { asSignedIn, asSiteAdmin } from '#platform/rest'

/** The columns `repository_id` and `owner_id` of the scoped tables. For the site both are null. */
export type Holder =
  | { readonly kind: 'repository'; readonly repository_id: number; readonly owner_id: null }
  | { readonly kind: 'account'; readonly repository_id: null; readonly owner_id: number }
  | { readonly kind: 'site'; readonly repository_id: null; readonly owner_id: null }

declare const right: unique symbol
/** The caller administers it. */
export type Scope = Holder & { readonly [right]: 'admin' | 'owner' }
/** The caller owns it. For a repository this is more than administering it. */
export type OwnedScope = Exclude<Holder, { kind: 'site' }> & { readonly [right]: 'owner' }

interface RepositoryPath {
  readonly owner: string
  readonly repo: string
}

export function scopeOf({ id }: Administered): Scope {
  return ofRepository(id) as Scope
}

export async function openRepository(ctx: Context, path: RepositoryPath): Promise<Scope> {
  return scopeOf(await openToAdmin(ctx, path))
}

export async function openOwnedRepository(ctx: Context, path: RepositoryPath): Promise<OwnedScope> {
  return ofRepository((await openToOwn(ctx, path)).id) as OwnedScope
}

export async function openOrg(ctx: Context, { org }: { readonly org: string }): Promise<OwnedScope> {
  return ofAccount((await openOwnedOrg(ctx, org)).id)
}

export async function openOwn(ctx: Context): Promise<OwnedScope> {
  return ofAccount(asSignedIn({ ctx }).id)
}

export async function openSite(ctx: Context): Promise<Scope> {
  asSiteAdmin({ ctx })
  return { kind: 'site', repository_id: null, owner_id: null } as Scope
}

function ofRepository(id: number): Holder {
  return { kind: 'repository', repository_id: id, owner_id: null }
}

function ofAccount(id: number): OwnedScope {
  return { kind: 'account', repository_id: null, owner_id: id } as OwnedScope
}
