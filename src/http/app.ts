/** The HTTP server: serves routes that are data, and answers failures. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { networkOf } from '#domains/people/users'
import type { World } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Route } from '#platform/rest'
import { API } from './api-path.ts'
import { Budgets } from './edge/budgets.ts'
import { JSON_TYPE, problemOfStatus, sendFailure, sendUnrouted } from './edge/failures.ts'
import { rememberPeers } from './edge/peers.ts'
import { requestId } from './edge/request-id.ts'
import { cutWhenStalled } from './edge/stalls.ts'
import { HeldBodies, readHeld } from './input/held-bodies.ts'
import { openApiDocument } from './openapi/document.ts'
import { referencePage } from './openapi/reference-page.ts'
import { swaggerDocument } from './openapi/swagger.ts'
import { operationsOf } from './operations.ts'
import type { Parts } from './parts.ts'
import { InProcessApi } from './serve/in-process-api.ts'
import { sendProblemPage } from './serve/problem-page.ts'
import { splitUrl } from './serve/serve.ts'
import { servePages } from './serve/serve-page.ts'
import { serveRawRoutes } from './serve/serve-raw.ts'
import { serveRoutes } from './serve/serve-route.ts'

/** Headers are small: a client that takes longer to send them is stalling. */
const HEADER_TIMEOUT_MS = 15_000

export function buildApp(given: Parts): FastifyInstance {
  const drain = new AbortController()
  const parts = {
    ...given,
    inProcessApi: new InProcessApi(given),
    budgets: new Budgets(given.world.config),
    bodies: new HeldBodies(given.world.config),
    draining: drain.signal,
  }
  const { world, routes } = parts
  const app = Fastify({
    loggerInstance: world.log.child({}, { level: world.log.level }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request.id' }),
    genReqId: requestId,
    trustProxy: [...world.config['http.trusted_proxies']],
    bodyLimit: world.config['http.body_bytes_max'],
    requestTimeout: world.config['http.transfer_timeout_ms'],
    connectionTimeout: world.config['http.stall_timeout_ms'],
    http: { headersTimeout: HEADER_TIMEOUT_MS },
    exposeHeadRoutes: true,
    // A request on a kept connection is answered also while the server closes.
    return503OnClosing: false,
    // Errors before routing: an address that cannot be decoded, or a parameter that is too long.
    frameworkErrors: (error, _request, reply) => {
      sendUnrouted(reply, error, world.site.docsUrl)
    },
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2_000 },
  }) as unknown as FastifyInstance
  rememberPeers(app.server)
  app.decorateRequest('entered', null)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('visitor', undefined)
  app.decorateRequest('sentBefore', 0)
  app.decorateRequest('held', null)
  app.decorateRequest('audit', undefined)
  // A body stays unread until access was checked.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async ({ held, headers }: FastifyRequest, payload: IncomingMessage) =>
    held === null
      ? undefined
      : readHeld(payload, Number(headers['content-length'] ?? 0), held.bytesMax, held.hold),
  )
  const warnOfProxy = proxyWarning(world)
  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now()
    request.sentBefore = request.raw.socket.bytesWritten
    warnOfProxy(request)
    cutWhenStalled(request, reply)
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
  })
  app.addHook('preClose', async () => drain.abort())
  app.addHook('onSend', (request, reply, payload, done) => {
    // A stream may still be changing something.
    const isOver = request.audit !== undefined && !(payload instanceof Readable)
    if (!isOver) return done()
    finishAudit(request, reply).then(() => done(), done)
  })
  app.addHook('onResponse', async (request, reply) => {
    observe(world, request, reply)
    await finishAudit(request, reply)
  })
  app.setErrorHandler((error, request, reply) => sendFailure(reply, error, request.log, world.site.docsUrl))
  // An unknown path is 404; a known one with another method is 405 without a body.
  app.setNotFoundHandler((request, reply) => {
    if (isKnown(routes, request.url)) return reply.code(405).send()
    return sendProblemPage(parts, request, reply, new Problem('not_found', 'not found'))
  })
  serveRoutes(app, parts)
  serveRawRoutes(app, parts)
  servePages(app, parts)
  serveDocuments(app, parts)
  operationsOf(app, parts.isReady)
  return app
}

/** The page has an inline style and nothing else. */
const REFERENCE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

function serveDocuments(app: FastifyInstance, { world, routes }: Parts): void {
  // Generated on the first request: most nodes are never asked, and both documents take 11 MiB permanently.
  const json = (path: string, write: typeof openApiDocument) => {
    let text: string | undefined
    app.get(path, async (_request, reply) => {
      text ??= JSON.stringify(write(routes, world.site.url))
      return reply.header('content-type', JSON_TYPE).send(text)
    })
  }
  json('/openapi.json', openApiDocument)
  json('/swagger.v1.json', swaggerDocument)
  app.get('/api/swagger', async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/html;charset=utf-8', 'content-security-policy': REFERENCE_POLICY })
      .send(referencePage(routes)),
  )
}

function isKnown(routes: readonly Route[], url: string): boolean {
  const [path = ''] = splitUrl(url)
  const segments = path.replace(/\/+/g, '/').replace(/\/$/, '').split('/')
  return routes.some((route) => matches(`${API}${route.path}`.split('/'), segments))
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const takesRest = pattern.at(-1)?.startsWith('*') === true
  if (takesRest ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, i) => /^[:*]/.test(part) || part === segments[i])
}

/** Behind an unknown proxy all clients share one address: its rate limits, and its failed sign-ins. */
function proxyWarning({ config, log }: World): (request: FastifyRequest) => void {
  let isTold = config['http.trusted_proxies'].length > 0
  return ({ headers, raw: { socket } }) => {
    if (isTold || headers['x-forwarded-for'] === undefined) return
    isTold = true
    log.warn(
      { 'proxy.address': socket.remoteAddress },
      'a proxy forwards clients and is not in http.trusted_proxies: all its clients count as one',
    )
  }
}

/** Asked every few seconds by machines. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])
const PATH_LENGTH_MAX = 500
/** Parameters of paths that are credentials. */
const SECRET_PARAMETERS = ['token', 'code']

/** The query may hold anything, so it is never logged. */
function pathToLog({ url, params }: FastifyRequest): string {
  const [path] = splitUrl(url)
  const given = (params ?? {}) as Record<string, string>
  const secrets = SECRET_PARAMETERS.flatMap((name) => given[name] ?? [])
  if (secrets.length === 0) return path.slice(0, PATH_LENGTH_MAX)
  const shown = path.split('/').map((part) => (secrets.includes(decoded(part)) ? '[hidden]' : part))
  return shown.join('/').slice(0, PATH_LENGTH_MAX)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function callerOf({ entered }: FastifyRequest): { 'user.login'?: string } {
  const login = entered?.ctx.actor?.login ?? entered?.bearer?.name
  return login === undefined ? {} : { 'user.login': login }
}

/** Writes the audit record of an operation that changed nothing. Some protocols answer refusals themselves. */
async function finishAudit({ audit }: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
  await audit?.finish(problemOfStatus(statusCode))
}

/** Statuses of refused requests. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429])

function countClient(
  { clientUse }: World,
  { visitor, ip }: FastifyRequest,
  { statusCode }: FastifyReply,
): void {
  const client = visitor ?? { lane: 'nobody', key: networkOf(ip) }
  clientUse.count(client, { requests: 1, refused: REFUSALS.has(statusCode) ? 1 : 0 })
}

function observe(world: World, request: FastifyRequest, reply: FastifyReply): void {
  const seconds = (performance.now() - request.startedAt) / 1000
  const route = request.routeOptions.url ?? 'none'
  const labels = { method: request.method, route }
  world.telemetry.requestSeconds.record(seconds, labels)
  world.telemetry.requests.add(1, { ...labels, status: reply.statusCode })
  if (!PROBES.has(route)) countClient(world, request, reply)
  request.log[PROBES.has(route) ? 'debug' : 'info'](
    {
      'http.method': request.method,
      'http.route': route,
      'http.path': pathToLog(request),
      'http.status': reply.statusCode,
      'http.bytes': request.raw.socket.bytesWritten - request.sentBefore,
      'client.address': request.ip,
      ...callerOf(request),
      duration_ms: seconds * 1000,
    },
    'request',
  )
}
