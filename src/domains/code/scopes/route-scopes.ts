/** Scopes for routes: path prefix, prefixes of operation ids, and words for summaries. */
import type { Static, TObject, TProperties } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { OrgPath } from '#domains/people/orgs'
import type { Context } from '#platform/context'
import {
  type OwnedScope,
  openOrg,
  openOwn,
  openOwnedRepository,
  openRepository,
  openSite,
  type Scope,
} from './scope.ts'

export interface RouteScope<P extends TProperties = TProperties, S extends Scope = Scope> {
  readonly path: string
  readonly params: P
  /** The OpenAPI tag of the operations; a token needs the scope of the same name. */
  readonly tag: string
  readonly refusesPublicOnly: boolean
  /** In operation ids: `repoListHooks`, `getRepoRunners`. */
  readonly prefix: string
  readonly word: string
  /** In summaries: «of a repository», «a repository's runners». */
  readonly of: string
  readonly whose: string
  readonly open: (ctx: Context, params: Static<TObject<P>>) => Promise<S>
}

type RepositoryParams = typeof RepositoryPath.properties
type Nothing = Record<never, never>

const repository = {
  path: '/repos/:owner/:repo',
  params: RepositoryPath.properties,
  tag: 'repository',
  refusesPublicOnly: false,
  prefix: 'repo',
  word: 'Repo',
  of: 'a repository',
  whose: "a repository's",
}

export const repositoryScope: RouteScope<RepositoryParams> = { ...repository, open: openRepository }

export const ownedRepositoryScope: RouteScope<RepositoryParams, OwnedScope> = {
  ...repository,
  open: openOwnedRepository,
}

export const orgScope: RouteScope<typeof OrgPath.properties, OwnedScope> = {
  path: '/orgs/:org',
  params: OrgPath.properties,
  tag: 'organization',
  refusesPublicOnly: false,
  prefix: 'org',
  word: 'Org',
  of: 'an organization',
  whose: "an organization's",
  open: openOrg,
}

export const userScope: RouteScope<Nothing, OwnedScope> = {
  path: '/user',
  params: {},
  tag: 'user',
  refusesPublicOnly: true,
  prefix: 'user',
  word: 'User',
  of: 'the authenticated user',
  whose: "the authenticated user's",
  open: openOwn,
}

export const siteScope: RouteScope<Nothing> = {
  path: '/admin',
  params: {},
  tag: 'admin',
  refusesPublicOnly: false,
  prefix: 'admin',
  word: 'Admin',
  of: 'the site',
  whose: 'all',
  open: openSite,
}

/** The facts that all routes of a scope share. `params` may have more than the scope's own: the id of a hook, say. */
export function factsOf<P extends TProperties, S extends Scope>(scope: RouteScope<P, S>) {
  const { tag, refusesPublicOnly } = scope
  return {
    tag,
    scopes: [tag],
    refusesPublicOnly,
    open: ({ ctx, params }: { ctx: Context; params: unknown }): Promise<S> =>
      scope.open(ctx, params as Static<TObject<P>>),
  }
}
