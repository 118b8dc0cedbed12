/** Data for reviewers that the REST API does not offer: review progress, viewed files, and all comments at once. */
import { Type } from 'typebox'
import { openPullToRead, PullPath } from '#domains/review/pulls'
import type { Context } from '#platform/context'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { showPullLines } from './lines/show-lines.ts'
import { findReviewProgress, markReviewed, setViewed } from './progress/progress.ts'
import { mayRequestReviews } from './requests/request-reviews.ts'
import { applyRemarks, openToApply } from './suggestions/apply.ts'

/** Per commit. */
const SUGGESTIONS_MAX = 100

interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string; readonly index: number }
}

/** For any reader, also if archived or locked, because the marks are private to the reader. */
async function openAsReader(visit: Visit) {
  return { ...(await openPullToRead(visit)), actor: asSignedIn(visit) }
}

export const reviewOperations = [
  internalOperation({
    operationId: 'pullGetReviewProgress',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: async ({ ctx, opened: { pull } }) => ({
      ...(await findReviewProgress(ctx, pull)),
      /** The current version of the pull request. */
      latest: pull.version,
    }),
  }),
  internalOperation({
    operationId: 'pullListLines',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: ({ ctx, opened: { tracker, pull } }) => showPullLines(ctx, tracker, pull),
  }),
  internalOperation({
    operationId: 'pullMayRequestReviews',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: ({ ctx, params, opened: { tracker } }) => mayRequestReviews(ctx, tracker, params.index),
  }),
  internalOperation({
    operationId: 'pullMarkReviewed',
    method: 'POST',
    params: PullPath,
    body: Type.Object({ version: Type.Integer() }),
    open: openAsReader,
    handle: ({ ctx, params, body }) => markReviewed({ ctx, params }, params.index, body.version),
  }),
  internalOperation({
    operationId: 'pullSetViewed',
    method: 'POST',
    params: PullPath,
    body: Type.Object({ change: Type.String(), is_viewed: Type.Boolean() }),
    open: openAsReader,
    handle: ({ ctx, params, body }) => setViewed({ ctx, params }, params.index, body.change, body.is_viewed),
  }),
  /** Applies the suggestions in review comments as one commit to the head branch. */
  internalOperation({
    operationId: 'pullApplySuggestions',
    method: 'POST',
    params: PullPath,
    body: Type.Object({
      remark_ids: Type.Array(Type.Integer(), { minItems: 1, maxItems: SUGGESTIONS_MAX }),
    }),
    open: openToApply,
    handle: ({ ctx, params, body, opened }) => applyRemarks(ctx, opened, params.index, body.remark_ids),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof reviewOperations> {}
}
