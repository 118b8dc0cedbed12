/** REST routes of stars. */

import { type Static, Type } from 'typebox'
import { openUser, User, UserPath } from '#domains/people/users'
import type { Context } from '#platform/context'
import { asSignedIn, noContent, PageQuery, pageOf, type Route, route, routesOf } from '#platform/rest'
import { openToSee } from '../access/open-repository.ts'
import { listedPeople, listedRepositories } from '../record/listed-routes.ts'
import { selectTied } from '../record/ties-store.ts'
import { RepositoryPath } from '../schemas.ts'
import { Repository } from '../wire.ts'
import { assertStarred, listOwnStarred, listStarredBy, starRepository, unstarRepository } from './stars.ts'

const userRoute = routesOf({ tag: 'user', scopes: ['user', 'repository'] })

export const starRoutes: readonly Route[] = [
  userRoute({
    method: 'GET',
    path: '/user/starred',
    operationId: 'userCurrentListStarred',
    summary: 'List repositories starred by the authenticated user',
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: asSignedIn,
    handle: async (visit) =>
      listedRepositories(
        visit,
        await listOwnStarred(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query)),
      ),
  }),
  userRoute({
    method: 'GET',
    path: '/user/starred/:owner/:repo',
    operationId: 'userCurrentCheckStarring',
    summary: 'Check whether the authenticated user starred a repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: openToStar,
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await assertStarred(ctx, repo, actor)
      return noContent()
    },
  }),
  userRoute({
    method: 'PUT',
    path: '/user/starred/:owner/:repo',
    operationId: 'userCurrentPutStar',
    summary: 'Star a repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: openToStar,
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await starRepository(ctx, repo, actor)
      return noContent()
    },
  }),
  userRoute({
    method: 'DELETE',
    path: '/user/starred/:owner/:repo',
    operationId: 'userCurrentDeleteStar',
    summary: 'Unstar a repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: openToStar,
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await unstarRepository(ctx, repo, actor)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/users/:username/starred',
    operationId: 'userListStarred',
    tag: 'user',
    summary: 'List repositories starred by a user',
    scopes: ['user'],
    params: UserPath,
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: (visit) => {
      asSignedIn(visit)
      return openUser(visit.ctx, visit.params.username)
    },
    handle: async (visit) =>
      listedRepositories(visit, await listStarredBy(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/stargazers',
    operationId: 'repoListStargazers',
    tag: 'repository',
    summary: "List a repository's stargazers",
    scopes: ['repository'],
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: (visit) => listedPeople(visit, selectTied(visit.ctx, 'star', visit.opened.id)),
  }),
]

async function openToStar(visit: { ctx: Context; params: Static<typeof RepositoryPath> }) {
  const actor = asSignedIn(visit)
  return { actor, repo: await openToSee(visit.ctx, visit.params) }
}
