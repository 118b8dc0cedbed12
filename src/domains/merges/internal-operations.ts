/** What the merge box of a pull request shows. */
import { Type } from 'typebox'
import { openPull, openPulls } from '#domains/pulls'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { findOutlook } from './merging/outlook.ts'

export const mergeOperations = [
  internalOperation({
    operationId: 'pullGetOutlook',
    method: 'GET',
    params: Type.Object({ owner: Type.String(), repo: Type.String(), index: Type.Integer() }),
    open: async ({ ctx, params }) => {
      const tracker = await openPulls({ ctx, params })
      return { tracker, pull: await openPull(ctx, tracker, params.index) }
    },
    handle: ({ ctx, opened: { tracker, pull } }) => findOutlook(ctx, tracker, pull),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof mergeOperations> {}
}
