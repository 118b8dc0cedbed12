/** Stars over REST. */
import { type Static, Type } from 'typebox'
import { openUser, User } from '#domains/users'
import type { Context } from '#platform/context'
import { asSignedIn, noContent, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { openToSee } from '../open-repository.ts'
import { RepositoryPath } from '../schemas.ts'
import { assertStarred, listOwnStarred, listStarredBy, starRepository, unstarRepository } from '../stars.ts'
import { selectStargazers } from '../stars-store.ts'
import { Repository } from '../wire.ts'
import { listedPeople, listedRepositories } from './listed.ts'

export const starRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/starred',
    operationId: 'userCurrentListStarred',
    tag: 'user',
    summary: 'List repositories starred by the authenticated user',
    scopes: ['user', 'repository'],
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: asSignedIn,
    handle: async (visit) =>
      listedRepositories(
        visit,
        await listOwnStarred(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query)),
      ),
  }),
  route({
    method: 'GET',
    path: '/user/starred/:owner/:repo',
    operationId: 'userCurrentCheckStarring',
    tag: 'user',
    summary: 'Check whether the authenticated user starred a repository',
    scopes: ['user', 'repository'],
    params: RepositoryPath,
    answers: { 204: null },
    open: openToStar,
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await assertStarred(ctx, repo, actor)
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/user/starred/:owner/:repo',
    operationId: 'userCurrentPutStar',
    tag: 'user',
    summary: 'Star a repository',
    scopes: ['user', 'repository'],
    params: RepositoryPath,
    answers: { 204: null },
    open: openToStar,
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await starRepository(ctx, repo, actor)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/starred/:owner/:repo',
    operationId: 'userCurrentDeleteStar',
    tag: 'user',
    summary: 'Unstar a repository',
    scopes: ['user', 'repository'],
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
    params: Type.Object({ username: Type.String() }),
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
    handle: (visit) => listedPeople(visit, selectStargazers(visit.ctx, visit.opened.id)),
  }),
]

async function openToStar(visit: { ctx: Context; params: Static<typeof RepositoryPath> }) {
  const actor = asSignedIn(visit)
  return { actor, repo: await openToSee(visit.ctx, visit.params) }
}
