/** Data for the merge box of a pull request, and for the rows of pull request lists. */
import { Type } from 'typebox'
import { openPullsUnarchived, openPullToRead, PullPath } from '#domains/review/pulls'
import { asAnybody, type InternalOperations, internalOperation } from '#platform/rest'
import { deleteClosedHead } from './merging/delete-head.ts'
import { findOutlook } from './merging/outlook.ts'
import { findSigns } from './signs/find-signs.ts'
import { findConflicts, Resolution, resolveConflicts } from './updating/resolve-conflicts.ts'

/** The maximum length of any list page. */
const LISTED_MAX = 100

export const mergeOperations = [
  internalOperation({
    operationId: 'pullGetOutlook',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: ({ ctx, opened: { tracker, pull } }) => findOutlook(ctx, tracker, pull),
  }),
  /** Whose turn it is. */
  internalOperation({
    operationId: 'pullGetSigns',
    method: 'GET',
    params: PullPath,
    open: openPullToRead,
    handle: async ({ ctx, opened: { tracker, pull } }) =>
      (await findSigns(ctx, [pull.issue_id], [tracker])).get(pull.issue_id),
  }),
  /** Unlike the deletion of a branch over REST, it is an event of the pull request and spares commits pushed since. */
  internalOperation({
    operationId: 'pullDeleteHead',
    method: 'POST',
    params: PullPath,
    open: openPullsUnarchived,
    handle: ({ ctx, params, opened }) => deleteClosedHead(ctx, opened, params.index),
  }),
  /** The conflicting files with markers, for callers who may commit a merge of the base to the head branch. */
  internalOperation({
    operationId: 'pullGetConflicts',
    method: 'GET',
    params: PullPath,
    open: openPullsUnarchived,
    handle: ({ ctx, params, opened }) => findConflicts(ctx, opened, params.index),
  }),
  /** Merges the base into the head branch with these texts; refused if the head has moved since. */
  internalOperation({
    operationId: 'pullResolveConflicts',
    method: 'POST',
    params: PullPath,
    body: Resolution,
    open: openPullsUnarchived,
    handle: ({ ctx, params, opened, body }) => resolveConflicts(ctx, opened, params.index, body),
  }),
  /** Omits pull requests that the caller may not read. */
  internalOperation({
    operationId: 'pullListSigns',
    method: 'GET',
    body: Type.Object({ issue_ids: Type.Array(Type.Integer(), { maxItems: LISTED_MAX }) }),
    open: asAnybody,
    handle: ({ ctx, body }) => findSigns(ctx, body.issue_ids),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof mergeOperations> {}
}
