/**
 * Whose secrets and variables they are: a repository's, or an account's for all its repositories. Only `open…` functions
 * make a scope, so having one is proof.
 */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { openOwnedOrg } from '#domains/orgs'
import { openToOwn } from '#domains/repositories'
import type { Context } from '#platform/context'
import { asSignedIn } from '#platform/rest'

declare const proven: unique symbol
/** A scope whose secrets and variables the caller may change. */
export type ConfigScope = Holder & { readonly [proven]: true }

/** As the columns of both tables have it. */
export type Holder =
  | { readonly repository_id: number; readonly owner_id: null }
  | { readonly repository_id: null; readonly owner_id: number }

export interface RouteScope<P extends TProperties = TProperties> {
  readonly path: string
  readonly params: P
  readonly tag: string
  readonly refusesPublicOnly: boolean
  /** Its word in the names of operations, and what it is called in summaries. */
  readonly word: string
  readonly of: string
  /** Compat: the secrets of a user are not listed. */
  readonly listsSecrets: string | null
  readonly open: (ctx: Context, params: Static<TObject<P>>) => Promise<ConfigScope>
}

const paths = { owner: Type.String(), repo: Type.String() }

export const repositoryScope: RouteScope<typeof paths> = {
  path: '/repos/:owner/:repo/actions',
  params: paths,
  tag: 'repository',
  refusesPublicOnly: false,
  word: 'Repo',
  of: 'a repository',
  listsSecrets: 'repoListActionsSecrets',
  open: async (ctx, path) => {
    const { id } = await openToOwn(ctx, path)
    return { repository_id: id, owner_id: null } as ConfigScope
  },
}

const org = { org: Type.String() }

export const orgScope: RouteScope<typeof org> = {
  path: '/orgs/:org/actions',
  params: org,
  tag: 'organization',
  refusesPublicOnly: false,
  word: 'Org',
  of: 'an organization',
  listsSecrets: 'orgListActionsSecrets',
  open: async (ctx, { org }) => {
    const { id } = await openOwnedOrg(ctx, org)
    return { repository_id: null, owner_id: id } as ConfigScope
  },
}

export const userScope: RouteScope<Record<never, never>> = {
  path: '/user/actions',
  params: {},
  tag: 'user',
  refusesPublicOnly: true,
  word: 'User',
  of: 'the authenticated user',
  listsSecrets: null,
  open: async (ctx) => ({ repository_id: null, owner_id: asSignedIn({ ctx }).id }) as ConfigScope,
}
