/** What reviewers see of their own work: what they looked at, which files they are done with, and all remarks at once. */
import { Type } from 'typebox'
import { openPull, openPulls } from '#domains/pulls'
import type { Context } from '#platform/context'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { showPullLines } from './lines/show-lines.ts'
import { findLooks, markLooked, setViewed } from './looks/looks.ts'

const PullParams = Type.Object({ owner: Type.String(), repo: Type.String(), index: Type.Integer() })
interface Visit {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string; readonly index: number }
}

async function openToRead({ ctx, params }: Visit) {
  const tracker = await openPulls({ ctx, params })
  return { tracker, pull: await openPull(ctx, tracker, params.index) }
}

/** Whoever may read a pull request, also where it is archived or locked: only they see the marks. */
async function openAsReader(visit: Visit) {
  return { ...(await openToRead(visit)), actor: asSignedIn(visit) }
}

export const reviewOperations = [
  internalOperation({
    operationId: 'pullGetLooks',
    method: 'GET',
    params: PullParams,
    open: openToRead,
    handle: async ({ ctx, opened: { pull } }) => ({
      ...(await findLooks(ctx, pull)),
      /** The version that the pull request has now. */
      latest: pull.version,
    }),
  }),
  internalOperation({
    operationId: 'pullListLines',
    method: 'GET',
    params: PullParams,
    open: openToRead,
    handle: ({ ctx, opened: { tracker, pull } }) => showPullLines(ctx, tracker, pull),
  }),
  internalOperation({
    operationId: 'pullMarkLooked',
    method: 'POST',
    params: PullParams,
    body: Type.Object({ version: Type.Integer() }),
    open: openAsReader,
    handle: ({ ctx, params, body }) => markLooked({ ctx, params }, params.index, body.version),
  }),
  internalOperation({
    operationId: 'pullSetViewed',
    method: 'POST',
    params: PullParams,
    body: Type.Object({ change: Type.String(), is_viewed: Type.Boolean() }),
    open: openAsReader,
    handle: ({ ctx, params, body }) => setViewed({ ctx, params }, params.index, body.change, body.is_viewed),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof reviewOperations> {}
}
