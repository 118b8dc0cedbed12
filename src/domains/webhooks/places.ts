/** Where hooks live: a repository, an owner, or the site. Only `open…` functions make a place, so having one is proof. */
import { type RawBuilder, sql } from 'kysely'
import { openOwnedOrg } from '#domains/orgs'
import { type Administered, openToAdmin } from '#domains/repositories'
import type { Context } from '#platform/context'
import { asSignedIn, asSiteAdmin } from '#platform/rest'
import type { HookScope } from './tables.ts'

declare const proven: unique symbol
/** A place whose hooks the caller may see and change. */
export type HookPlace = Place & { readonly [proven]: true }

type Place =
  | { readonly kind: 'repository'; readonly repositoryId: number }
  | { readonly kind: 'owner'; readonly ownerId: number }
  | { readonly kind: 'site'; readonly scopes: readonly HookScope[] }

const SITE_SCOPES: readonly HookScope[] = ['system', 'default']

export async function openRepositoryHooks(
  ctx: Context,
  path: { owner: string; repo: string },
): Promise<HookPlace> {
  return hooksOf(await openToAdmin(ctx, path))
}

export function hooksOf(repo: Administered): HookPlace {
  return { kind: 'repository', repositoryId: repo.id } as HookPlace
}

export async function openOrgHooks(ctx: Context, { org }: { org: string }): Promise<HookPlace> {
  const { id } = await openOwnedOrg(ctx, org)
  return { kind: 'owner', ownerId: id } as HookPlace
}

export async function openOwnHooks(ctx: Context): Promise<HookPlace> {
  return { kind: 'owner', ownerId: asSignedIn({ ctx }).id } as HookPlace
}

export async function openSiteHooks(ctx: Context): Promise<HookPlace> {
  asSiteAdmin({ ctx })
  return { kind: 'site', scopes: SITE_SCOPES } as HookPlace
}

/** Compat: an unknown word means the hooks of the system. */
export function narrow(place: HookPlace, type: string | undefined): HookPlace {
  if (place.kind !== 'site' || type === 'all') return place
  return { ...place, scopes: [type === 'default' ? 'default' : 'system'] }
}

/** As a condition, in the words of the indexes. */
export function isIn(place: HookPlace): RawBuilder<boolean> {
  if (place.kind === 'repository') return sql`webhook.repository_id = ${place.repositoryId}`
  if (place.kind === 'owner') return sql`webhook.owner_id = ${place.ownerId}`
  return sql`(webhook.repository_id is null and webhook.owner_id is null
    and webhook.scope = any(${place.scopes}))`
}
