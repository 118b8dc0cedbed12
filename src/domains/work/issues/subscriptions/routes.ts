/** Subscriptions to issues over REST. */
import { Type } from 'typebox'
import { inRepository, openTracker } from '#domains/code/repositories'
import { presentUser, User } from '#domains/people/users'
import { takePage } from '#platform/db'
import { listed, ok, PageQuery, pageOf, type Route, routesOf, Time, time } from '#platform/rest'
import { openAsSignedIn, openIssue } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { isSubscribed, selectSubscribers } from './store.ts'
import { setSubscribed } from './subscribe.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BASE = '/repos/:owner/:repo/issues/:index/subscriptions'
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

const changing = (method: 'PUT' | 'DELETE', operationId: string, summary: string): Route =>
  route({
    method,
    path: `${BASE}/:user`,
    operationId,
    summary,
    params: inRepository({ index: Type.Integer(), user: Type.String() }),
    answers: { 200: null, 201: null },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      const isNew = await setSubscribed(ctx, opened, params.index, params.user, method === 'PUT')
      return isNew ? { status: 201 as const, body: undefined } : { status: 200 as const, body: undefined }
    },
  })

export const subscriptionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'issueSubscriptions',
    summary: 'List users who subscribed to an issue',
    params: IssuePath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const { id } = await openIssue(ctx, opened, params.index)
      const { items, total } = await takePage(selectSubscribers(ctx, id), pageOf(ctx, query))
      const people = items.map((person) => presentUser(person, ctx.actor, ctx.site))
      return listed(visit, people, total, { links: false })
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/check`,
    operationId: 'issueCheckSubscription',
    summary: 'Check whether the authenticated user is subscribed to an issue',
    params: IssuePath,
    answers: { 200: WatchInfo },
    open: openAsSignedIn,
    handle: async ({ ctx, params, opened: { tracker, actor } }) => {
      const issue = await openIssue(ctx, tracker, params.index)
      const subscribed = await isSubscribed(ctx.db, issue, actor.id)
      const repository = `${ctx.site.apiUrl}/repos/${tracker.owner.login}/${tracker.name}`
      return ok({
        subscribed,
        ignored: !subscribed,
        reason: null,
        created_at: time(issue.created_at),
        url: `${repository}/issues/${issue.number}/subscriptions`,
        repository_url: repository,
      })
    },
  }),
  changing('PUT', 'issueAddSubscription', 'Subscribe a user to an issue'),
  changing('DELETE', 'issueDeleteSubscription', 'Unsubscribe a user from an issue'),
]
