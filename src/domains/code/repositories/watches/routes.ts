/** REST routes of watches. */

import { type Static, Type } from 'typebox'
import { isJob } from '#domains/people/access'
import { openUser, User, UserPath } from '#domains/people/users'
import type { Context } from '#platform/context'
import { forbidden } from '#platform/problem'
import {
  asSignedIn,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
  Time,
  time,
} from '#platform/rest'
import type { Site } from '#platform/site'
import { openToSee, type Visible } from '../access/open-repository.ts'
import { listedPeople, listedRepositories } from '../record/listed-routes.ts'
import { type DatedTie, selectTied } from '../record/ties-store.ts'
import { RepositoryPath } from '../schemas.ts'
import { Repository } from '../wire.ts'
import { getWatch, listOwnWatched, listWatchedBy, unwatchRepository, watchRepository } from './watches.ts'

const repositoryRoute = routesOf({ tag: 'repository', scopes: ['repository'] })
const userRoute = routesOf({ tag: 'user', scopes: ['user'] })

type WatchInfo = Static<typeof WatchInfo>
const WatchInfo = Type.Object(
  {
    subscribed: Type.Boolean(),
    ignored: Type.Boolean(),
    reason: Type.Null(),
    created_at: Time,
    url: Type.String(),
    repository_url: Type.String(),
  },
  { title: 'WatchInfo' },
)

export const watchRoutes: readonly Route[] = [
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/subscription',
    operationId: 'userCurrentCheckSubscription',
    summary: 'Check whether the authenticated user watches a repository',
    params: RepositoryPath,
    answers: { 200: WatchInfo },
    open: openToWatch,
    handle: async ({ ctx, opened: { repo, actor } }) =>
      ok(presentWatch(await getWatch(ctx, repo, actor), repo, ctx.site)),
  }),
  repositoryRoute({
    method: 'PUT',
    path: '/repos/:owner/:repo/subscription',
    operationId: 'userCurrentPutSubscription',
    summary: 'Watch a repository',
    params: RepositoryPath,
    answers: { 200: WatchInfo },
    open: openToWatch,
    handle: async ({ ctx, opened: { repo, actor } }) =>
      ok(presentWatch(await watchRepository(ctx, repo, actor), repo, ctx.site)),
  }),
  repositoryRoute({
    method: 'DELETE',
    path: '/repos/:owner/:repo/subscription',
    operationId: 'userCurrentDeleteSubscription',
    summary: 'Unwatch a repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: openToWatch,
    handle: async ({ ctx, opened: { repo, actor } }) => {
      await unwatchRepository(ctx, repo, actor)
      return noContent()
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/subscribers',
    operationId: 'repoListSubscribers',
    summary: "List a repository's watchers",
    params: RepositoryPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: (visit) => listedPeople(visit, selectTied(visit.ctx, 'watch', visit.opened.id)),
  }),
  userRoute({
    method: 'GET',
    path: '/user/subscriptions',
    operationId: 'userCurrentListSubscriptions',
    summary: 'List repositories watched by the authenticated user',
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: asSignedIn,
    handle: async (visit) =>
      listedRepositories(
        visit,
        await listOwnWatched(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query)),
      ),
  }),
  userRoute({
    method: 'GET',
    path: '/users/:username/subscriptions',
    operationId: 'userListSubscriptions',
    summary: 'List repositories watched by a user',
    params: UserPath,
    query: PageQuery,
    answers: { 200: Type.Array(Repository) },
    open: (visit) => {
      asSignedIn(visit)
      return openUser(visit.ctx, visit.params.username)
    },
    handle: async (visit) =>
      listedRepositories(visit, await listWatchedBy(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))),
  }),
]

async function openToWatch(visit: { ctx: Context; params: Static<typeof RepositoryPath> }) {
  const repo = await openToSee(visit.ctx, visit.params)
  const actor = asSignedIn(visit)
  // All jobs act as one account, whose notifications no user reads.
  if (isJob(actor)) throw forbidden('a job cannot watch a repository')
  return { repo, actor }
}

function presentWatch(watch: DatedTie, repo: Visible, site: Site): WatchInfo {
  const url = `${site.apiUrl}/repos/${repo.owner.login}/${repo.name}`
  return {
    subscribed: true,
    ignored: false,
    reason: null,
    created_at: time(watch.created_at),
    url: `${url}/subscription`,
    repository_url: url,
  }
}
