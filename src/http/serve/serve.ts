/** Serves a route of either kind: lets somebody in, lets the route answer, and has it traced, bounded and timed. */
import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { FRESH_MS, type Visitor, type World } from '#platform/context'
import type { RawRoute, Route } from '#platform/rest'
import { type OpenedRequest, enter, type RouteFacts } from '../edge/enter.ts'
import { goneSignal } from '../edge/gone.ts'
import type { Hold } from '../input/held-bodies.ts'
import type { ServedParts } from '../parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    entered: OpenedRequest | null
    startedAt: number
    /** The part of the budget for bodies that this one takes, and how long it may be. */
    held: { readonly hold: Hold; readonly bytesMax: number } | null
  }
}

/** What is a kind's own. */
export interface Serving {
  readonly route: RouteFacts & Pick<Route | RawRoute, 'path' | 'operationId'>
  readonly below: string
  readonly bodyBytesMax: number
  /** The longest body of a request that nobody is signed in for, where it is another. */
  readonly strangerBytesMax?: number
  /** The body is left in its stream, and need not hurry. */
  readonly keepsStream: boolean
  /** Whether the query may say who somebody is. */
  readonly trustsQuery: boolean
  /** Before anything else is looked at. */
  readonly guard?: (request: FastifyRequest) => void
  readonly charge: (reply: FastifyReply, visitor: Visitor) => void
  /** Says how to send what the route answered. */
  readonly answer: (
    entered: OpenedRequest,
    request: FastifyRequest,
  ) => Promise<(reply: FastifyReply) => FastifyReply>
  readonly onError?: NonNullable<RouteOptions['errorHandler']>
}

export function serve(app: FastifyInstance, parts: ServedParts, serving: Serving): void {
  const { world, draining } = parts
  const { route, keepsStream } = serving
  app.route({
    method: route.method,
    url: serving.below + route.path.replace(/\*\w+$/, '*'),
    bodyLimit: serving.bodyBytesMax,
    // There is no end that a question without an answer could be told of.
    ...(route.staysOpen && { exposeHeadRoute: false }),
    ...(serving.onError && { errorHandler: serving.onError }),
    onRequest: async (request, reply) => {
      serving.guard?.(request)
      const [path = '', query = ''] = splitUrl(request.raw.url ?? '')
      const asked = new URLSearchParams(query)
      const incoming = {
        headers: request.headers,
        params: namedParams(route.path, request.params as Record<string, string>),
        path,
        query: asked,
        credentialQuery: serving.trustsQuery ? asked : new URLSearchParams(),
        address: request.ip,
        charge: (visitor: Visitor) => serving.charge(reply, visitor),
      }
      const gone = goneSignal(reply)
      const signal = route.staysOpen ? AbortSignal.any([gone, draining]) : gone
      const per = { log: request.log as World['log'], signal }
      request.entered = await enter(world, route, incoming, per)
    },
    preParsing: async (request, reply, payload) => {
      // A body that nobody reads need not hurry.
      if (route.method === 'GET' || keepsStream) return payload
      hurry(payload, world.config['http.request_timeout_ms'])
      request.held = holdBody(parts, serving, request, reply)
      return payload
    },
    handler: async (request, reply) => {
      const entered = request.entered as OpenedRequest
      const facts = { 'http.method': route.method, 'http.route': route.path, 'request.id': request.id }
      const send = await world.telemetry.traced(route.operationId, facts, () =>
        serving.answer(entered, request),
      )
      return send(reply)
    },
  })
}

function holdBody(
  { bodies }: ServedParts,
  { bodyBytesMax, strangerBytesMax = bodyBytesMax }: Serving,
  { entered, ip }: FastifyRequest,
  reply: FastifyReply,
): FastifyRequest['held'] {
  const { visitor = { lane: 'nobody', key: ip } } = entered?.ctx ?? {}
  const hold = bodies.hold(visitor)
  reply.raw.once('close', hold.release)
  return { hold, bytesMax: visitor.lane === 'nobody' ? strangerBytesMax : bodyBytesMax }
}

/** A scope of its own, because here bodies are left in their streams. */
export function serveStreams(app: FastifyInstance, serveEach: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    serveEach(scope)
  })
}

/** Whoever took their time with the body is asked again, also by routes that change nothing. */
export async function assertStillAllowed({ ctx }: OpenedRequest, { startedAt }: FastifyRequest): Promise<void> {
  if (performance.now() - startedAt > FRESH_MS) await ctx.reopen?.(ctx)
}

export function splitUrl(url: string): [string, string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** The server itself waits as long as the largest push may take. */
function hurry(payload: Readable, timeoutMs: number): void {
  const timer = setTimeout(() => payload.destroy(), timeoutMs)
  finished(payload, () => clearTimeout(timer))
}

/** The rest of a path has a name in the route; the server calls it `*`. */
function namedParams(path: string, params: Record<string, string>): Record<string, string> {
  const { '*': rest, ...others } = params
  const name = /\*(\w+)$/.exec(path)?.[1]
  return name === undefined || rest === undefined ? params : { ...others, [name]: rest }
}
