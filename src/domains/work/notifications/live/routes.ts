/** Live updates as server-sent events. */

import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { openTracker } from '#domains/code/repositories'
import { openIssue } from '#domains/work/issues'
import type { Context } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { asSignedIn, type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import { streamChanges, type Voice } from './stream.ts'

const TOPICS_MAX = 40
const TOPICS_LENGTH_MAX = 1_000
const ISSUE = /^([^/]{1,100})\/([^/]{1,100})\/(\d{1,15})$/

export const liveRoutes: readonly RawRoute[] = [
  rawRoute({
    method: 'GET',
    // Compat: the path of the reference.
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
    handle: async ({ ctx, opened: { actor, issue } }) =>
      stream(ctx, actor.id, issue === null ? [] : [`issue:${issue.id}`], {
        // Compat: the spelling of the reference.
        count: (count) => eventOf('notification-count', JSON.stringify({ UserID: actor.id, Count: count })),
        changed: () => eventOf('issue-changed', JSON.stringify({ id: issue?.id })),
      }),
  }),
  rawRoute({
    method: 'GET',
    path: '/-/live',
    operationId: 'webStreamNews',
    scopes: [],
    takesSession: 'only',
    staysOpen: true,
    query: Type.Object({
      topics: Type.Optional(
        Type.String({
          maxLength: TOPICS_LENGTH_MAX,
          description: 'topics such as issue:7, separated by commas',
        }),
      ),
    }),
    open: async (visit) => ({
      actor: asSignedIn(visit),
      topics: await openTopics(visit.ctx, visit.query.topics),
    }),
    handle: async ({ ctx, opened: { actor, topics } }) =>
      stream(ctx, actor.id, topics, {
        count: (count) => eventOf('unread', String(count)),
        changed: (topic) => `data: ${topic}\n\n`,
      }),
  }),
]

/** A browser subscribes for all its tabs: topics that the user may not see are skipped. */
async function openTopics(ctx: Context, text = ''): Promise<string[]> {
  const opened: string[] = []
  for (const topic of text.split(',').slice(0, TOPICS_MAX)) {
    try {
      await ctx.live.open(ctx, topic)
      opened.push(topic)
    } catch (error) {
      if (!(error instanceof Problem) || !HIDDEN.has(error.kind)) throw error
    }
  }
  return opened
}

const HIDDEN = new Set<Problem['kind']>(['not_found', 'forbidden', 'unauthenticated', 'moved'])

function stream(ctx: Context, userId: number, topics: readonly string[], voice: Voice): RawAnswer {
  const { listener, leave } = ctx.live.join(userId, topics)
  const body = Readable.from(streamChanges(ctx, listener, voice))
  // Called in every case, also if the stream is never read.
  body.once('close', leave)
  ctx.signal.addEventListener('abort', leave, { once: true })
  if (ctx.signal.aborted) leave()
  return { status: 200, headers: HEADERS, body }
}

function eventOf(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`
}

const HEADERS = {
  'content-type': 'text/event-stream;charset=utf-8',
  'cache-control': 'no-store',
  // Keeps proxies from buffering the stream.
  'x-accel-buffering': 'no',
  // Closes the connection with the stream; a draining node would wait for its next request.
  connection: 'close',
}

async function openWatched(ctx: Context, which: string | undefined) {
  if (which === undefined || which === '') return null
  const [, owner, repo, number] = ISSUE.exec(which) ?? []
  if (owner === undefined || repo === undefined) throw invalid('issue must be owner/repository/number')
  return openIssue(ctx, await openTracker(ctx, { owner, repo }), Number(number))
}
