/** Review requests over REST. */
import { Type } from 'typebox'
import { openPull, openPullsAsSignedIn, PullPath } from '#domains/review/pulls'
import { created, noContent, type Route, routesOf } from '#platform/rest'
import { showReviews } from '../records/show-reviews.ts'
import { PullReview } from '../records/wire.ts'
import { requestReviews, withdrawRequests } from './request-reviews.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const PATH = '/repos/:owner/:repo/pulls/:index/requested_reviewers'
const NAME_MAX = 255
const MANY = 100
const Names = Type.Array(Type.String({ maxLength: NAME_MAX }), { maxItems: MANY })

const RequestOptions = Type.Object(
  {
    reviewers: Type.Optional({ ...Names, description: 'users by login or email address' }),
    team_reviewers: Type.Optional({ ...Names, description: 'teams of the organization by name' }),
  },
  { title: 'PullReviewRequestOptions' },
)

export const requestRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: PATH,
    operationId: 'repoCreatePullReviewRequests',
    summary: 'Request reviews of a pull request',
    params: PullPath,
    body: RequestOptions,
    answers: { 201: Type.Array(PullReview) },
    open: openPullsAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      const { tracker } = opened
      const requests = await requestReviews(ctx, opened, params.index, body)
      const pull = await openPull(ctx, tracker, params.index)
      return created(await showReviews(ctx, tracker, pull, requests))
    },
  }),
  route({
    method: 'DELETE',
    path: PATH,
    operationId: 'repoDeletePullReviewRequests',
    summary: 'Withdraw review requests of a pull request',
    params: PullPath,
    body: RequestOptions,
    answers: { 204: null },
    open: openPullsAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      await withdrawRequests(ctx, opened, params.index, body)
      return noContent()
    },
  }),
]
