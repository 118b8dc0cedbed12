/** REST routes that create repositories: for the caller, in an organization, for another user. */
import { Type } from 'typebox'
import { mayCreateRepository, openOrg } from '#domains/people/orgs'
import { lookUpAccount } from '#domains/people/users'
import { forbidden } from '#platform/problem'
import { asSignedIn, asSiteAdmin, created, MISTAKES_ARE_MALFORMED, type Route, route } from '#platform/rest'
import { CreateRepository } from '../schemas.ts'
import { presentRepository, Repository } from '../wire.ts'
import { createRepository } from './create-repository.ts'

const OrgPath = Type.Object({ org: Type.String() })
const UserPath = Type.Object({ username: Type.String() })

export const creatingRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/user/repos',
    operationId: 'createCurrentUserRepo',
    tag: 'repository',
    summary: 'Create a repository for the authenticated user',
    scopes: ['user', 'repository'],
    refusesPublicOnly: true,
    body: CreateRepository,
    answers: { 201: Repository },
    open: asSignedIn,
    handle: async ({ ctx, body, opened }) => {
      const repo = await createRepository(ctx, opened, opened.account, body)
      return created(presentRepository(repo, ctx.site))
    },
  }),
  { ...creatingInOrg('/orgs/:org/repos', 'createOrgRepo'), problemsAs: MISTAKES_ARE_MALFORMED },
  {
    ...creatingInOrg('/org/:org/repos', 'createOrgRepoDeprecated'),
    summary: 'Create a repository in an organization (older path)',
    deprecated: true,
  },
  route({
    method: 'POST',
    path: '/admin/users/:username/repos',
    operationId: 'adminCreateRepo',
    tag: 'admin',
    summary: 'Create a repository owned by a user',
    scopes: ['admin'],
    params: UserPath,
    body: CreateRepository,
    answers: { 201: Repository },
    open: async (visit) => {
      const admin = asSiteAdmin(visit)
      return { admin, owner: await lookUpAccount(visit.ctx, visit.params.username) }
    },
    handle: async ({ ctx, body, opened: { admin, owner } }) => {
      const repo = await createRepository(ctx, admin, owner, body)
      return created(presentRepository(repo, ctx.site))
    },
  }),
]

/** Creating in an organization has two paths; the older one is kept for older clients. */
function creatingInOrg(path: string, operationId: string): Route {
  return route({
    method: 'POST',
    path,
    operationId,
    tag: 'organization',
    summary: 'Create a repository in an organization',
    scopes: ['organization', 'repository'],
    params: OrgPath,
    body: CreateRepository,
    answers: { 201: Repository },
    open: async (visit) => {
      const org = await openOrg(visit.ctx, visit.params.org)
      return { org, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, body, opened: { org, actor } }) => {
      // Compat: the permission is checked after the body.
      if (!(await mayCreateRepository(ctx, org)))
        throw forbidden('user is not allowed to create repositories in this organization')
      const repo = await createRepository(ctx, actor, org, body)
      return created(presentRepository(repo, ctx.site))
    },
  })
}
