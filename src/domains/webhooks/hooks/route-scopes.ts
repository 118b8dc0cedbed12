/** The scopes of hooks, as routes know them: one set of routes is registered for each. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Context } from '#platform/context'
import { type HookScope, openOrgHooks, openOwnHooks, openRepositoryHooks, openSiteHooks } from './scopes.ts'

export interface RouteScope<P extends TProperties = TProperties> {
  readonly path: string
  readonly params: P
  readonly tag: string
  readonly tokenScope: string
  readonly refusesPublicOnly: boolean
  /** What the names of its operations begin with. */
  readonly prefix: string
  /** What its hooks are called in summaries: one of them, and all. */
  readonly webhook: string
  readonly webhooks: string
  /** Compat: the list of a repository has no links to other pages. */
  readonly links: boolean
  readonly open: (ctx: Context, params: Static<TObject<P>>) => Promise<HookScope>
}

const texts = { owner: Type.String(), repo: Type.String() }

export const repositoryScope: RouteScope<typeof texts> = {
  path: '/repos/:owner/:repo/hooks',
  params: texts,
  tag: 'repository',
  tokenScope: 'repository',
  refusesPublicOnly: false,
  prefix: 'repo',
  webhook: 'a repository webhook',
  webhooks: "a repository's webhooks",
  links: false,
  open: openRepositoryHooks,
}

const org = { org: Type.String() }

export const orgScope: RouteScope<typeof org> = {
  path: '/orgs/:org/hooks',
  params: org,
  tag: 'organization',
  tokenScope: 'organization',
  refusesPublicOnly: false,
  prefix: 'org',
  webhook: 'an organization webhook',
  webhooks: "an organization's webhooks",
  links: true,
  open: openOrgHooks,
}

type Nothing = Record<never, never>

export const userScope: RouteScope<Nothing> = {
  path: '/user/hooks',
  params: {},
  tag: 'user',
  tokenScope: 'user',
  refusesPublicOnly: true,
  prefix: 'user',
  webhook: 'a webhook of the authenticated user',
  webhooks: "the authenticated user's webhooks",
  links: true,
  open: openOwnHooks,
}

export const siteScope: RouteScope<Nothing> = {
  path: '/admin/hooks',
  params: {},
  tag: 'admin',
  tokenScope: 'admin',
  refusesPublicOnly: false,
  prefix: 'admin',
  webhook: 'a system or default webhook',
  webhooks: 'system or default webhooks',
  links: true,
  open: openSiteHooks,
}
