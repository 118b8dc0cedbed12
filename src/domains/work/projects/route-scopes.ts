/** The scopes of projects, as routes know them: one set of routes is registered for each. */
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { OrgPath } from '#domains/people/orgs'
import type { Context } from '#platform/context'
import {
  openInOrg,
  openInRepository,
  openOwn,
  openToWriteInOrg,
  openToWriteInRepository,
  type ProjectPlace,
  type WritablePlace,
} from './open-place.ts'

/** What `open` of a route is given. */
interface Visit {
  readonly ctx: Context
  readonly params: unknown
}

export interface ProjectScope {
  readonly path: string
  readonly params: TProperties
  readonly tag: string
  readonly scopes: readonly string[]
  /** What the names of its operations begin with. */
  readonly prefix: string
  /** Whose projects they are, in summaries. */
  readonly whose: string
  readonly openToRead: (visit: Visit) => Promise<ProjectPlace>
  readonly openToWrite: (visit: Visit) => Promise<WritablePlace>
}

export const projectScopes: readonly ProjectScope[] = [
  {
    path: '/repos/:owner/:repo/projects',
    params: RepositoryPath.properties,
    tag: 'repository',
    scopes: ['issue'],
    prefix: 'repo',
    whose: 'of a repository',
    openToRead: ({ ctx, params }) => openInRepository(ctx, params as Static<typeof RepositoryPath>),
    openToWrite: ({ ctx, params }) => openToWriteInRepository(ctx, params as Static<typeof RepositoryPath>),
  },
  {
    path: '/user/projects',
    params: {},
    tag: 'user',
    scopes: ['user', 'issue'],
    prefix: 'userCurrent',
    whose: 'of the authenticated user',
    openToRead: ({ ctx }) => openOwn(ctx),
    openToWrite: ({ ctx }) => openOwn(ctx),
  },
  {
    path: '/orgs/:org/projects',
    params: OrgPath.properties,
    tag: 'organization',
    scopes: ['organization', 'issue'],
    prefix: 'org',
    whose: 'of an organization',
    openToRead: ({ ctx, params }) => openInOrg(ctx, (params as Static<typeof OrgPath>).org),
    openToWrite: ({ ctx, params }) => openToWriteInOrg(ctx, (params as Static<typeof OrgPath>).org),
  },
]

/** Where something in a scope is; what leads to the scope itself is for its `open…` alone. */
export function inScope<M extends TProperties>(scope: ProjectScope, more: M): TObject<M> {
  return Type.Object({ ...scope.params, ...more })
}

/** What all routes of a scope share. */
export function factsOf({ tag, scopes }: ProjectScope) {
  return { tag, scopes }
}
