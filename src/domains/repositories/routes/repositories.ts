/** Repositories over REST: made, seen, listed, deleted. */
import { Type } from 'typebox'
import { lookUpOrg, mayCreateRepository, openOrg, openOwnedOrg } from '#domains/orgs'
import { lookUpAccount, openUser } from '#domains/users'
import type { Context } from '#platform/context'
import { forbidden } from '#platform/problem'
import {
  asSignedIn,
  asSiteAdmin,
  created,
  listed,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  route,
} from '#platform/rest'
import { openToAdmin, openToSee } from '../open-repository.ts'
import { listOfOwner } from '../queries.ts'
import { CreateRepository, RepositoryPath } from '../schemas.ts'
import { createRepository, deleteRepositoriesOf, deleteRepository } from '../verbs.ts'
import { presentRepository, Repository } from '../wire.ts'

const OrgPath = Type.Object({ org: Type.String() })
const UserPath = Type.Object({ username: Type.String() })
const List = Type.Array(Repository)

/** Creating in an organization has two addresses; the older one is kept for older clients. */
const creatingInOrg = (path: string, operationId: string, deprecated: boolean): Route =>
  route({
    method: 'POST',
    path,
    operationId,
    tag: 'organization',
    summary: 'Create a repository in an organization',
    scopes: ['organization', 'repository'],
    deprecated,
    params: OrgPath,
    body: CreateRepository,
    answers: { 201: Repository },
    open: async (visit) => {
      const org = await lookUpOrg(visit.ctx, visit.params.org)
      if (visit.ctx.actor?.publicOnly && org.visibility !== 'public')
        throw forbidden('token scope is limited to public orgs')
      return asSignedIn(visit)
    },
    handle: async ({ ctx, params, body, opened }) => {
      // Compat: whether the caller may see the organization is judged after the body.
      const org = await openOrg(ctx, params.org)
      if (!(await mayCreateRepository(ctx, org)))
        throw forbidden('user is not allowed to create repositories in this organization')
      return created(present(ctx, await createRepository(ctx, opened, org, body)))
    },
  })

export const repositoryRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/user/repos',
    operationId: 'createCurrentUserRepo',
    tag: 'repository',
    summary: 'Create a repository of one’s own',
    scopes: ['user', 'repository'],
    refusesPublicOnly: true,
    body: CreateRepository,
    answers: { 201: Repository },
    open: asSignedIn,
    handle: async ({ ctx, body, opened }) =>
      created(present(ctx, await createRepository(ctx, opened, opened.account, body))),
  }),
  creatingInOrg('/orgs/:org/repos', 'createOrgRepo', false),
  creatingInOrg('/org/:org/repos', 'createOrgRepoDeprecated', true),
  route({
    method: 'POST',
    path: '/admin/users/:username/repos',
    operationId: 'adminCreateRepo',
    tag: 'admin',
    summary: 'Create a repository for somebody',
    scopes: ['admin'],
    params: UserPath,
    body: CreateRepository,
    answers: { 201: Repository },
    open: async (visit) => {
      const admin = asSiteAdmin(visit)
      return { admin, owner: await lookUpAccount(visit.ctx, visit.params.username) }
    },
    handle: async ({ ctx, body, opened: { admin, owner } }) =>
      created(present(ctx, await createRepository(ctx, admin, owner, body))),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo',
    operationId: 'repoGet',
    tag: 'repository',
    summary: 'A repository',
    scopes: ['repository'],
    params: RepositoryPath,
    answers: { 200: Repository },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, opened }) => ok(present(ctx, opened)),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo',
    operationId: 'repoDelete',
    tag: 'repository',
    summary: 'Delete a repository',
    scopes: ['repository'],
    params: RepositoryPath,
    answers: { 204: null },
    open: async (visit) => {
      const repo = await openToAdmin(visit.ctx, visit.params)
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await deleteRepository(ctx, repo, actor)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/users/:username/repos',
    operationId: 'userListRepos',
    tag: 'user',
    summary: 'Repositories that somebody owns',
    scopes: ['user', 'repository'],
    params: UserPath,
    query: PageQuery,
    answers: { 200: List },
    open: ({ ctx, params }) => openUser(ctx, params.username),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const { repositories, total } = await listOfOwner(ctx, opened.id, pageOf(ctx, visit.query))
      return listed(
        visit,
        repositories.map((repo) => present(ctx, repo)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/repos',
    operationId: 'orgListRepos',
    tag: 'organization',
    summary: 'Repositories of an organization',
    scopes: ['organization', 'repository'],
    params: OrgPath,
    query: PageQuery,
    answers: { 200: List },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const { repositories, total } = await listOfOwner(ctx, opened.id, pageOf(ctx, visit.query))
      return listed(
        visit,
        repositories.map((repo) => present(ctx, repo)),
        total,
      )
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/repos',
    operationId: 'orgDeleteRepos',
    tag: 'organization',
    summary: 'Delete all repositories of an organization',
    scopes: ['organization', 'repository'],
    params: OrgPath,
    answers: { 202: null },
    open: async (visit) => {
      const org = await openOwnedOrg(visit.ctx, visit.params.org)
      return { org, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, opened: { org, actor } }) => {
      await deleteRepositoriesOf(ctx, org, actor.id)
      return { status: 202 as const, body: undefined }
    },
  }),
]

function present(ctx: Context, repo: Parameters<typeof presentRepository>[0]): Repository {
  return presentRepository(repo, ctx.site)
}
