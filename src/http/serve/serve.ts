/** Serves a route of either kind: checks access, calls the route, with tracing, limits and timing. */
import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { OperationEntry, UNAUDITED } from '#domains/instance/audit'
import { networkOf } from '#domains/people/users'
import { FRESH_MS, type Visitor, type World } from '#platform/context'
import type { RawRoute, Route } from '#platform/rest'
import { enter, type OpenedRequest, type RouteFacts } from '../edge/enter.ts'
import { goneSignal } from '../edge/gone.ts'
import type { Hold } from '../input/held-bodies.ts'
import type { ServedParts } from '../parts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    entered: OpenedRequest | null
    startedAt: number
    /** Undefined until its caller is identified. */
    visitor: Visitor | undefined
    /** Bytes that its connection had sent before this request. */
    sentBefore: number
    /** Undefined for requests that change nothing. */
    audit: OperationEntry | undefined
    /** The reserved part of the body budget, and the maximum size of this body. */
    held: { readonly hold: Hold; readonly bytesMax: number } | null
  }
}

/** What differs between the kinds of routes. */
export interface Serving {
  readonly route: RouteFacts &
    Pick<Route | RawRoute, 'path' | 'operationId'> & {
      /** Whether it changes something; by default the method decides. */
      readonly isAudited?: boolean
    }
  readonly below: string
  readonly bodyBytesMax: number
  /** The maximum body size of anonymous requests, if different. */
  readonly strangerBytesMax?: number
  /** The body stays a stream, without a timeout. */
  readonly keepsStream: boolean
  /** Whether credentials in the query are accepted. */
  readonly trustsQuery: boolean
  /** Runs before all other checks. */
  readonly guard?: (request: FastifyRequest) => void
  readonly charge: (reply: FastifyReply, visitor: Visitor) => void
  /** Returns how to send the route's answer. */
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
    // A HEAD request to a stream would never end.
    ...(route.staysOpen && { exposeHeadRoute: false }),
    ...(serving.onError && { errorHandler: serving.onError }),
    onRequest: async (request, reply) => {
      serving.guard?.(request)
      const [path = '', query = ''] = splitUrl(request.raw.url ?? '')
      const asked = new URLSearchParams(query)
      request.audit = auditOf(world, serving, request, asked)
      const incoming = {
        headers: request.headers,
        params: namedParams(route.path, request.params as Record<string, string>),
        path,
        query: asked,
        credentialQuery: serving.trustsQuery ? asked : new URLSearchParams(),
        address: request.ip,
        requestId: request.id,
        audit: request.audit,
        route: `${route.method} ${serving.below}${route.path}`,
        charge: (visitor: Visitor) => {
          request.visitor = visitor
          serving.charge(reply, visitor)
        },
      }
      const gone = goneSignal(reply)
      const signal = route.staysOpen ? AbortSignal.any([gone, draining]) : gone
      const per = { log: request.log as World['log'], signal }
      request.entered = await enter(world, route, incoming, per).catch(audited(request))
      const { actor } = request.entered.ctx
      // Ends the answer, and by its signal the work, of an account that is suspended meanwhile.
      if (actor !== null)
        reply.raw.once(
          'close',
          world.openRequests.enter(actor.id, () => void reply.raw.destroy()),
        )
    },
    preParsing: async (request, reply, payload) => {
      // No timeout for a body that is not read here.
      if (route.method === 'GET' || keepsStream) return payload
      hurry(payload, world.config['http.request_timeout_ms'])
      request.held = holdBody(parts, serving, request, reply)
      return payload
    },
    handler: async (request, reply) => {
      const entered = request.entered as OpenedRequest
      const facts = { 'http.method': route.method, 'http.route': route.path, 'request.id': request.id }
      const { traceparent } = request.headers
      const caller = typeof traceparent === 'string' ? traceparent : undefined
      const answering = () => serving.answer(entered, request)
      const traced = world.telemetry.traced(route.operationId, facts, answering, caller)
      const send = await traced.catch(audited(request))
      return send(reply)
    },
  })
}

/** How the operation ids of pages begin. */
export const PAGE = 'page '

function auditOf(
  world: World,
  { route }: Serving,
  { ip, id }: FastifyRequest,
  query: URLSearchParams,
): OperationEntry | undefined {
  const { method, onlyReads = false, operationId, isAudited = method !== 'GET' } = route
  const isRead = !isAudited || (typeof onlyReads === 'function' ? onlyReads(query) : onlyReads)
  if (isRead || UNAUDITED.has(operationId)) return undefined
  // The operations that a page calls are audited, and not the page itself.
  const isPage = operationId.startsWith(PAGE)
  return new OperationEntry(world, operationId, {
    address: ip,
    network: networkOf(ip),
    requestId: id,
    isPage,
  })
}

function audited({ audit }: FastifyRequest): (error: unknown) => Promise<never> {
  return async (error) => {
    await audit?.finish(error)
    throw error
  }
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

/** In its own scope, because here bodies stay streams. */
export function serveStreams(app: FastifyInstance, serveEach: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    serveEach(scope)
  })
}

/** When the body took long, access is checked again, also for routes that change nothing. */
export async function assertStillAllowed(
  { ctx }: OpenedRequest,
  { startedAt }: FastifyRequest,
): Promise<void> {
  if (performance.now() - startedAt > FRESH_MS) await ctx.reopen?.(ctx)
}

export function splitUrl(url: string): [string, string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

/** The server's own timeout is as long as the largest push may take. */
function hurry(payload: Readable, timeoutMs: number): void {
  const timer = setTimeout(() => payload.destroy(), timeoutMs)
  finished(payload, () => clearTimeout(timer))
}

/** The rest of a path has a name in the route; the router calls it `*`. */
function namedParams(path: string, params: Record<string, string>): Record<string, string> {
  const { '*': rest, ...others } = params
  const name = /\*(\w+)$/.exec(path)?.[1]
  return name === undefined || rest === undefined ? params : { ...others, [name]: rest }
}
