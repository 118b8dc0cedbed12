/** Replies to review comments and their resolution over REST. */
import { openPull, openPullsUnarchived } from '#domains/review/pulls'
import { must } from '#platform/must'
import { created, noContent, type Route, routesOf } from '#platform/rest'
import { CreateReply, LinePath, ReviewPath } from '../records/schemas.ts'
import { replyTo, resolveLine } from './discuss.ts'
import { showLines } from './show-lines.ts'
import { PullReviewComment } from './wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/pulls'

export const lineRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `${BASE}/:index/comments/:id/replies`,
    operationId: 'repoCreatePullReviewCommentReply',
    summary: 'Add a reply to a review comment',
    params: ReviewPath,
    body: CreateReply,
    answers: { 201: PullReviewComment },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const { tracker } = opened
      const reply = await replyTo(ctx, opened, params.index, params.id, body.body)
      const pull = await openPull(ctx, tracker, params.index)
      const [shown] = await showLines(ctx, tracker, pull, [reply])
      return created(must(shown, 'one is shown for each'))
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/comments/:id/resolve`,
    operationId: 'repoResolvePullReviewComment',
    summary: 'Resolve a review comment',
    params: LinePath,
    answers: { 204: null },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, opened }) => {
      await resolveLine(ctx, opened, params.id, true)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/comments/:id/unresolve`,
    operationId: 'repoUnresolvePullReviewComment',
    summary: 'Unresolve a review comment',
    params: LinePath,
    answers: { 204: null },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, opened }) => {
      await resolveLine(ctx, opened, params.id, false)
      return noContent()
    },
  }),
]
