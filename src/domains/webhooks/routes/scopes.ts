/** The places that have hooks, as routes know them: one set of routes is registered for each. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Context } from '#platform/context'
import { type HookPlace, openOrgHooks, openOwnHooks, openRepositoryHooks, openSiteHooks } from '../places.ts'

export interface Scope<P extends TProperties = TProperties> {
  readonly path: string
  readonly params: P
  readonly tag: string
  readonly tokenScope: string
  readonly refusesPublicOnly: boolean
  /** What the names of its operations begin with. */
  readonly prefix: string
  /** Whose hooks, for summaries. */
  readonly whose: string
  /** Compat: the list of a repository has no links to other pages. */
  readonly links: boolean
  readonly open: (ctx: Context, params: Static<TObject<P>>) => Promise<HookPlace>
}

const texts = { owner: Type.String(), repo: Type.String() }

export const repositoryScope: Scope<typeof texts> = {
  path: '/repos/:owner/:repo/hooks',
  params: texts,
  tag: 'repository',
  tokenScope: 'repository',
  refusesPublicOnly: false,
  prefix: 'repo',
  whose: 'of a repository',
  links: false,
  open: openRepositoryHooks,
}

const org = { org: Type.String() }

export const orgScope: Scope<typeof org> = {
  path: '/orgs/:org/hooks',
  params: org,
  tag: 'organization',
  tokenScope: 'organization',
  refusesPublicOnly: false,
  prefix: 'org',
  whose: 'of an organization',
  links: true,
  open: openOrgHooks,
}

type Nothing = Record<never, never>

export const userScope: Scope<Nothing> = {
  path: '/user/hooks',
  params: {},
  tag: 'user',
  tokenScope: 'user',
  refusesPublicOnly: true,
  prefix: 'user',
  whose: 'of the caller',
  links: true,
  open: openOwnHooks,
}

export const siteScope: Scope<Nothing> = {
  path: '/admin/hooks',
  params: {},
  tag: 'admin',
  tokenScope: 'admin',
  refusesPublicOnly: false,
  prefix: 'admin',
  whose: 'of the system, and default ones',
  links: true,
  open: openSiteHooks,
}
