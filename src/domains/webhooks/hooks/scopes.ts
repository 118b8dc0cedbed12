/** Where hooks live: a repository, an owner, or the site. Only `open…` functions make a scope, so having one is proof. */
import { type RawBuilder, sql } from 'kysely'
import { openOwnedOrg } from '#domains/orgs'
import { type Administered, openToAdmin } from '#domains/repositories'
import type { Context } from '#platform/context'
import { asSignedIn, asSiteAdmin } from '#platform/rest'
import type { ScopeName } from '../tables.ts'

declare const proven: unique symbol
/** A scope whose hooks the caller may see and change. */
export type HookScope = Scope & { readonly [proven]: true }

type Scope =
  | { readonly kind: 'repository'; readonly repositoryId: number }
  | { readonly kind: 'owner'; readonly ownerId: number }
  | { readonly kind: 'site'; readonly scopes: readonly ScopeName[] }

const SITE_SCOPES: readonly ScopeName[] = ['system', 'default']

export async function openRepositoryHooks(
  ctx: Context,
  path: { owner: string; repo: string },
): Promise<HookScope> {
  return hooksOf(await openToAdmin(ctx, path))
}

export function hooksOf(repo: Administered): HookScope {
  return { kind: 'repository', repositoryId: repo.id } as HookScope
}

export async function openOrgHooks(ctx: Context, { org }: { org: string }): Promise<HookScope> {
  const { id } = await openOwnedOrg(ctx, org)
  return { kind: 'owner', ownerId: id } as HookScope
}

export async function openOwnHooks(ctx: Context): Promise<HookScope> {
  return { kind: 'owner', ownerId: asSignedIn({ ctx }).id } as HookScope
}

export async function openSiteHooks(ctx: Context): Promise<HookScope> {
  asSiteAdmin({ ctx })
  return { kind: 'site', scopes: SITE_SCOPES } as HookScope
}

/** Compat: an unknown word means the hooks of the system. */
export function narrow(scope: HookScope, type: string | undefined): HookScope {
  if (scope.kind !== 'site' || type === 'all') return scope
  return { ...scope, scopes: [type === 'default' ? 'default' : 'system'] }
}

/** As a condition, in the words of the indexes. */
export function isIn(scope: HookScope): RawBuilder<boolean> {
  if (scope.kind === 'repository') return sql`webhook.repository_id = ${scope.repositoryId}`
  if (scope.kind === 'owner') return sql`webhook.owner_id = ${scope.ownerId}`
  return sql`(webhook.repository_id is null and webhook.owner_id is null
    and webhook.scope = any(${scope.scopes}))`
}
