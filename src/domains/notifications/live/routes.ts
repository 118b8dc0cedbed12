/** Live updates as server-sent events, for clients that wait rather than ask. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { openIssue, openTracker } from '#domains/issues'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import { asSignedIn, type RawRoute, rawRoute } from '#platform/rest'
import { streamChanges } from './stream.ts'

const ISSUE = /^([^/]{1,100})\/([^/]{1,100})\/(\d{1,15})$/

export const liveRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'GET',
    // Compat: the path that clients of the reference know.
    path: '/user/events',
    operationId: 'streamUserEvents',
    scopes: ['notification'],
    refusesPublicOnly: true,
    staysOpen: true,
    query: Type.Object({
      issue: Type.Optional(Type.String({ description: 'owner/repository/number of an issue to hear of' })),
    }),
    open: async (visit) => {
      const actor = asSignedIn(visit)
      return { actor, issue: await openWatched(visit.ctx, visit.query.issue) }
    },
    handle: async ({ ctx, opened: { actor, issue } }) => {
      const { listener, leave } = ctx.live.join(actor.id, issue?.id ?? null)
      const body = Readable.from(streamChanges(ctx, listener))
      // The stream is closed in every case, also when nobody ever reads from it.
      body.once('close', leave)
      ctx.signal.addEventListener('abort', leave, { once: true })
      if (ctx.signal.aborted) leave()
      return { status: 200, headers: HEADERS, body }
    },
  }),
]

const HEADERS = {
  'content-type': 'text/event-stream;charset=utf-8',
  'cache-control': 'no-store',
  // Proxies that gather what they pass on would keep it until there is a lot.
  'x-accel-buffering': 'no',
  // With the stream its connection ends: a node that is drained would wait for the next request on it.
  connection: 'close',
}

async function openWatched(ctx: Context, which: string | undefined) {
  if (which === undefined || which === '') return null
  const [, owner, repo, number] = ISSUE.exec(which) ?? []
  if (owner === undefined || repo === undefined) throw invalid('issue must be owner/repository/number')
  return openIssue(ctx, await openTracker(ctx, { owner, repo }), Number(number))
}
