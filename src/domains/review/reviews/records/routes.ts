/** Reviews over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import {
  openPull,
  openPulls,
  openPullsAsSignedIn,
  openPullsUnarchived,
  PullPath,
} from '#domains/review/pulls'
import { listed, noContent, ok, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { showLines } from '../lines/show-lines.ts'
import { listLines } from '../lines/store.ts'
import { PullReviewComment } from '../lines/wire.ts'
import { deleteReview } from './delete-review.ts'
import { dismissReview, undismissReview } from './dismiss.ts'
import { openAsAdmin, openReview } from './open-review.ts'
import { CreateReview, DismissReview, ReviewPath, SubmitReview } from './schemas.ts'
import { showReview, showReviews } from './show-reviews.ts'
import { listReviews } from './store.ts'
import { PullReview } from './wire.ts'
import { createReview, submitReview } from './write-review.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/pulls/:index/reviews'

export const reviewRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'repoListPullReviews',
    summary: 'List the reviews of a pull request',
    params: PullPath,
    query: PageQuery,
    answers: { 200: Type.Array(PullReview) },
    open: openPulls,
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const pull = await openPull(ctx, opened, params.index)
      const { items, total } = await listReviews(ctx, pull.issue_id, pageOf(ctx, query))
      return listed(visit, await showReviews(ctx, opened, pull, items), total, { links: false })
    },
  }),
  route({
    method: 'POST',
    path: BASE,
    operationId: 'repoCreatePullReview',
    summary: 'Create a review of a pull request',
    params: PullPath,
    body: CreateReview,
    answers: { 200: PullReview },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const review = await createReview(ctx, opened, params.index, body)
      return ok(await showReview(ctx, opened.tracker, { number: params.index }, review))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:id`,
    operationId: 'repoGetPullReview',
    summary: 'Get a review of a pull request',
    params: ReviewPath,
    answers: { 200: PullReview },
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      return ok(await showReview(ctx, opened, pull, await openReview(ctx, pull, params.id)))
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/:id`,
    operationId: 'repoSubmitPullReview',
    summary: 'Submit a pending review of a pull request',
    params: ReviewPath,
    body: SubmitReview,
    answers: { 200: PullReview },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const review = await submitReview(ctx, opened, params.index, params.id, body)
      return ok(await showReview(ctx, opened.tracker, { number: params.index }, review))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:id`,
    operationId: 'repoDeletePullReview',
    summary: 'Delete a review of a pull request',
    params: ReviewPath,
    answers: { 204: null },
    open: openPullsAsSignedIn,
    handle: async ({ ctx, params, opened }) => {
      await deleteReview(ctx, opened, params.index, params.id)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:id/comments`,
    operationId: 'repoGetPullReviewComments',
    summary: 'List the comments of a review',
    params: ReviewPath,
    answers: { 200: Type.Array(PullReviewComment) },
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      const review = await openReview(ctx, pull, params.id)
      return ok(await showLines(ctx, opened, pull, await listLines(ctx.db, review.id)))
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/:id/dismissals`,
    operationId: 'repoDismissPullReview',
    summary: 'Dismiss a review of a pull request',
    params: ReviewPath,
    body: DismissReview,
    answers: { 200: PullReview },
    open: openAsAdmin,
    handle: async ({ ctx, params, body, opened }) => {
      const review = await dismissReview(ctx, opened, params.index, params.id, body)
      return ok(await showReview(ctx, opened.tracker, { number: params.index }, review))
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/:id/undismissals`,
    operationId: 'repoUnDismissPullReview',
    summary: 'Restore a dismissed review of a pull request',
    params: ReviewPath,
    answers: { 200: PullReview },
    open: openAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      const review = await undismissReview(ctx, opened, params.index, params.id)
      return ok(await showReview(ctx, opened.tracker, { number: params.index }, review))
    },
  }),
]
