/** REST routes that get, list and delete repositories. */
import { Type } from 'typebox'
import { openOrg, openOwnedOrg } from '#domains/people/orgs'
import { openUser } from '#domains/people/users'
import type { Context } from '#platform/context'
import { transact } from '#platform/context'
import { asSignedIn, listed, noContent, ok, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { openById, openToOwn, openToSee } from '../access/open-repository.ts'
import { deleteRepositoriesOf, deleteRepository } from '../deletion/delete-repository.ts'
import { RepositoryPath } from '../schemas.ts'
import { presentRepository, Repository } from '../wire.ts'
import { listOfActor, listOfOwner } from './queries.ts'

const OrgPath = Type.Object({ org: Type.String() })
const UserPath = Type.Object({ username: Type.String() })
const List = Type.Array(Repository)

export const repositoryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo',
    operationId: 'repoGet',
    tag: 'repository',
    summary: 'Get a repository',
    scopes: ['repository'],
    params: RepositoryPath,
    answers: { 200: Repository },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async ({ ctx, opened }) => ok(present(ctx, opened)),
  }),
  route({
    method: 'GET',
    path: '/repositories/:id',
    operationId: 'repoGetByID',
    tag: 'repository',
    summary: 'Get a repository by ID',
    scopes: ['repository'],
    params: Type.Object({ id: Type.Integer() }),
    answers: { 200: Repository },
    open: ({ ctx, params }) => openById(ctx, params.id),
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
      const repo = await openToOwn(visit.ctx, visit.params)
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await deleteRepository(ctx, repo, actor)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/user/repos',
    operationId: 'userCurrentListRepos',
    tag: 'user',
    summary: "List the authenticated user's repositories",
    scopes: ['user', 'repository'],
    query: PageQuery,
    answers: { 200: List },
    open: asSignedIn,
    handle: async (visit) => {
      const { ctx, opened } = visit
      const { items, total } = await listOfActor(ctx, opened, pageOf(ctx, visit.query))
      return listed(
        visit,
        items.map((repo) => present(ctx, repo)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/users/:username/repos',
    operationId: 'userListRepos',
    tag: 'user',
    summary: "List a user's repositories",
    scopes: ['user', 'repository'],
    params: UserPath,
    query: PageQuery,
    answers: { 200: List },
    open: ({ ctx, params }) => openUser(ctx, params.username),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const { items, total } = await listOfOwner(ctx, opened.id, pageOf(ctx, visit.query))
      return listed(
        visit,
        items.map((repo) => present(ctx, repo)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/repos',
    operationId: 'orgListRepos',
    tag: 'organization',
    summary: "List an organization's repositories",
    scopes: ['organization', 'repository'],
    params: OrgPath,
    query: PageQuery,
    answers: { 200: List },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened } = visit
      const { items, total } = await listOfOwner(ctx, opened.id, pageOf(ctx, visit.query))
      return listed(
        visit,
        items.map((repo) => present(ctx, repo)),
        total,
      )
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/repos',
    operationId: 'orgDeleteRepos',
    tag: 'organization',
    summary: "Delete all of an organization's repositories",
    scopes: ['organization', 'repository'],
    params: OrgPath,
    answers: { 202: null },
    open: async (visit) => {
      const org = await openOwnedOrg(visit.ctx, visit.params.org)
      return { org, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, opened: { org, actor } }) => {
      await transact(ctx, (ctx) => deleteRepositoriesOf(ctx, org.id, actor.id))
      return { status: 202 as const, body: undefined }
    },
  }),
]

function present(ctx: Context, repo: Parameters<typeof presentRepository>[0]): Repository {
  return presentRepository(repo, ctx.site)
}
