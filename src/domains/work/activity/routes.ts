/** Feeds over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { openToSee, RepositoryPath } from '#domains/code/repositories'
import { OrgPath, openOrg, openTeam } from '#domains/people/orgs'
import { openUser, UserPath } from '#domains/people/users'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import {
  listed,
  listOf,
  ok,
  pageFields,
  pageOf,
  parseInstant,
  type Route,
  route,
  routesOf,
} from '#platform/rest'
import { type Feed, feedOfOrg, feedOfRepository, feedOfTeam, feedOfUser, heatOf } from './feeds.ts'
import type { Day } from './queries.ts'
import { Activity, presentActivities, UserHeatmapData } from './wire.ts'

const userRoute = routesOf({ tag: 'user', scopes: ['user'] })
const organizationRoute = routesOf({ tag: 'organization', scopes: ['organization'] })
const DAY_MS = 86_400_000
const dateField = {
  date: Type.Optional(Type.String({ description: 'only activities of this date (YYYY-MM-DD)' })),
}
const FeedQuery = Type.Object({ ...dateField, ...pageFields })
const UserFeedQuery = Type.Object({
  'only-performed-by': Type.Optional(Type.Boolean({ description: 'only activities performed by the user' })),
  ...dateField,
  ...pageFields,
})
const answers = { 200: listOf(Activity) }

export const activityRoutes: readonly Route[] = [
  userRoute({
    method: 'GET',
    path: '/users/:username/activities/feeds',
    operationId: 'userListActivityFeeds',
    summary: "List a user's activity feed",
    params: UserPath,
    query: UserFeedQuery,
    answers,
    open: ({ ctx, params }) => openUser(ctx, params.username),
    handle: async (visit) => {
      const { ctx, query, opened: user } = visit
      const filter = { day: dayOf(query.date), isOwnOnly: query['only-performed-by'] ?? false }
      const feed = await feedOfUser(ctx, user, filter, pageOf(ctx, query))
      return listed(visit, present(ctx, feed, user.id), feed.total, { links: false })
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/activities/feeds',
    operationId: 'repoListActivityFeeds',
    tag: 'repository',
    summary: "List a repository's activity feed",
    scopes: ['repository'],
    params: RepositoryPath,
    query: FeedQuery,
    answers,
    open: ({ ctx, params }) => openToSee(ctx, params),
    handle: async (visit) => {
      const { ctx, query, opened: repo } = visit
      const feed = await feedOfRepository(ctx, repo, dayOf(query.date), pageOf(ctx, query))
      return listed(visit, present(ctx, feed, null), feed.total, { links: false })
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/orgs/:org/activities/feeds',
    operationId: 'orgListActivityFeeds',
    summary: "List an organization's activity feed",
    params: OrgPath,
    query: FeedQuery,
    answers,
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, query, opened: org } = visit
      const feed = await feedOfOrg(ctx, org, dayOf(query.date), pageOf(ctx, query))
      return listed(visit, present(ctx, feed, org.id), feed.total, { links: false })
    },
  }),
  organizationRoute({
    method: 'GET',
    path: '/teams/:id/activities/feeds',
    operationId: 'orgListTeamActivityFeeds',
    summary: "List a team's activity feed",
    params: Type.Object({ id: Type.Integer() }),
    query: FeedQuery,
    answers,
    open: ({ ctx, params }) => openTeam(ctx, params.id),
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const feed = await feedOfTeam(ctx, opened, dayOf(query.date), pageOf(ctx, query))
      return listed(visit, present(ctx, feed, opened.org.id), feed.total, { links: false })
    },
  }),
  userRoute({
    method: 'GET',
    path: '/users/:username/heatmap',
    operationId: 'userGetHeatmapData',
    summary: "Get a user's contribution heatmap",
    params: UserPath,
    answers: { 200: listOf(UserHeatmapData) },
    open: ({ ctx, params }) => openUser(ctx, params.username),
    handle: async ({ ctx, opened }) => ok(await heatOf(ctx, opened)),
  }),
]

function present(ctx: Context, { items }: Feed, recipientId: number | null): Activity[] {
  return presentActivities(items, recipientId, ctx.actor, ctx.site)
}

/** An invalid date must not return the whole feed (D38). */
function dayOf(text: string | undefined): Day | null {
  if (text === undefined || text === '') return null
  const { day } = parseInstant(text) ?? {}
  if (day === undefined) throw invalid('date is not a day (YYYY-MM-DD)')
  const start = Date.parse(`${day}T00:00:00Z`)
  return { start: new Date(start), end: new Date(start + DAY_MS) }
}
