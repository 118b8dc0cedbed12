/** The scopes of project routes: one set of routes is registered for each. */
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

/** The argument of a route's `open`. */
interface Visit {
  readonly ctx: Context
  readonly params: unknown
}

export interface ProjectScope {
  readonly path: string
  readonly params: TProperties
  readonly tag: string
  readonly scopes: readonly string[]
  /** Prefix of its operation ids. */
  readonly prefix: string
  /** The owner, as summaries name it. */
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

/** Path parameters of a route; those of the scope itself are read only by its `open…`. */
export function inScope<M extends TProperties>(scope: ProjectScope, more: M): TObject<M> {
  return Type.Object({ ...scope.params, ...more })
}

/** Facts shared by all routes of a scope. */
export function factsOf({ tag, scopes }: ProjectScope) {
  return { tag, scopes }
}
