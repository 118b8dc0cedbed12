/** The HTTP server: serves routes that are data, and answers whatever goes wrong on the way. */
import { finished, type Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { FRESH_MS, type Visitor, type World } from '#platform/context'
import { Problem } from '#platform/problem'
import type { Answer, Route, Upload } from '#platform/rest'
import { Budgets } from './budgets.ts'
import { type Entered, enter } from './enter.ts'
import { JSON_TYPE, sendFailure } from './failures.ts'
import { goneSignal } from './gone.ts'
import { openApiDocument } from './openapi/document.ts'
import { referencePage } from './openapi/reference-page.ts'
import { swaggerDocument } from './openapi/swagger.ts'
import { operationsOf } from './operations.ts'
import type { Parts, ServedParts } from './parts.ts'
import { servePictures } from './pictures.ts'
import { readBody } from './read-body.ts'
import { readUpload } from './read-upload.ts'
import { requestId } from './request-id.ts'
import { serveGit } from './smart-git.ts'
import { cutWhenStalled } from './stalls.ts'

declare module 'fastify' {
  interface FastifyRequest {
    entered: Entered | null
    startedAt: number
  }
}

const API = '/api/v1'
/** Room for a token and a long address; more is not a request but an attack. */
const HEADER_TIMEOUT_MS = 15_000

export function buildApp(given: Parts): FastifyInstance {
  const parts = { ...given, budgets: new Budgets(given.world.config) }
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
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2_000 },
  }) as unknown as FastifyInstance
  app.decorateRequest('entered', null)
  app.decorateRequest('startedAt', 0)
  // A body is bytes until access was checked: only then is it worth reading.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request, reply) => {
    request.startedAt = performance.now()
    cutWhenStalled(request, reply)
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
  })
  app.addHook('onResponse', async (request, reply) => observe(world, request, reply))
  app.setErrorHandler((error, request, reply) => sendFailure(reply, error, request.log, world.site.docsUrl))
  // An unknown path is 404; a known one with another method 405, without a word.
  app.setNotFoundHandler((request, reply) => {
    if (isKnown(routes, request.url)) return reply.code(405).send()
    throw new Problem('not_found', 'not found')
  })
  for (const route of routes) if (!route.takesFile) serve(app, parts, route)
  serveUploads(app, parts)
  serveDocuments(app, parts)
  operationsOf(app, world, parts.isReady)
  servePictures(app, parts)
  serveGit(app, parts)
  return app
}

/** A scope of its own, because here the body is left in its stream. */
function serveUploads(app: FastifyInstance, parts: ServedParts): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    for (const route of parts.routes) if (route.takesFile) serve(scope, parts, route)
  })
}

function serve(app: FastifyInstance, parts: ServedParts, route: Route): void {
  const { world, identity, budgets } = parts
  const { config } = world
  app.route({
    method: route.method,
    url: (route.isPage ? '' : API) + route.path.replace(/\*\w+$/, '*'),
    bodyLimit: config[route.bearsContent ? 'http.content_bytes_max' : 'http.body_bytes_max'],
    onRequest: async (request, reply) => {
      const [path = '', query = ''] = splitUrl(request.raw.url ?? '')
      const arrival = {
        headers: request.headers,
        params: namedParams(route, request.params as Record<string, string>),
        path,
        query: new URLSearchParams(query),
        address: request.ip,
        charge: (visitor: Visitor) => budgets.charge(reply, visitor),
      }
      const signal = goneSignal(reply)
      request.entered = await enter(world, identity, route, arrival, {
        log: request.log as World['log'],
        signal,
      })
    },
    preParsing: async (_request, _reply, payload) => {
      // A body that nobody reads need not hurry.
      if (route.method !== 'GET' && !route.takesFile) hurry(payload, config['http.request_timeout_ms'])
      return payload
    },
    handler: async (request, reply) => {
      const entered = request.entered as Entered
      const facts = { 'http.method': route.method, 'http.route': route.path, 'request.id': request.id }
      const answer = await world.telemetry.traced(route.operationId, facts, async () => {
        const sent = await readSent(parts, route, request)
        await assertStillWelcome(entered, request)
        return route.handle({ ...entered, ...sent })
      })
      parts.onAnswer?.(route, answer)
      return send(reply, answer)
    },
  })
}

/** Whoever took their time with the body is asked again, also by routes that change nothing. */
async function assertStillWelcome({ ctx }: Entered, { startedAt }: FastifyRequest): Promise<void> {
  if (performance.now() - startedAt > FRESH_MS) await ctx.reopen?.(ctx)
}

/** The server itself waits as long as the largest push may take. */
function hurry(payload: Readable, timeoutMs: number): void {
  const timer = setTimeout(() => payload.destroy(), timeoutMs)
  finished(payload, () => clearTimeout(timer))
}

async function readSent(
  { world }: Parts,
  route: Route,
  request: FastifyRequest,
): Promise<{ body: unknown; upload: Upload | null }> {
  const { headers, body } = request
  if (!route.takesFile) return { body: readBody(route.body, headers['content-type'], body), upload: null }
  const bytesMax = world.config['http.file_bytes_max']
  return { body: {}, upload: await readUpload(headers, body as Readable | undefined, bytesMax) }
}

/** The rest of a path has a name in the route; the server calls it `*`. */
function namedParams(route: Route, params: Record<string, string>): Record<string, string> {
  const { '*': rest, ...others } = params
  const name = /\*(\w+)$/.exec(route.path)?.[1]
  return name === undefined || rest === undefined ? params : { ...others, [name]: rest }
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).header('cache-control', 'max-age=0, private, must-revalidate')
  reply.header('x-frame-options', 'SAMEORIGIN')
  if (answer.headers) reply.headers(answer.headers)
  if (answer.body === undefined) return reply.send()
  // A route that names another type answers with text or bytes as they are.
  if (answer.headers?.['content-type'] !== undefined) return reply.send(answer.body)
  return reply.header('content-type', JSON_TYPE).send(JSON.stringify(answer.body))
}

function serveDocuments(app: FastifyInstance, { world, routes }: Parts): void {
  const json = (path: string, document: unknown) => {
    const text = JSON.stringify(document)
    app.get(path, async (_request, reply) => reply.header('content-type', JSON_TYPE).send(text))
  }
  json('/openapi.json', openApiDocument(routes, world.site.url))
  json('/swagger.v1.json', swaggerDocument(routes, world.site.url))
  app.get('/api/swagger', async (_request, reply) =>
    reply.header('content-type', 'text/html;charset=utf-8').send(referencePage(routes)),
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

function splitUrl(url: string): [string, string] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
}

function observe(world: World, request: FastifyRequest, reply: FastifyReply): void {
  const seconds = (performance.now() - request.startedAt) / 1000
  const route = request.routeOptions.url ?? 'none'
  const labels = { method: request.method, route, status: reply.statusCode }
  world.telemetry.requestSeconds.record(seconds, labels)
  request.log.info(
    {
      'http.method': request.method,
      'http.route': route,
      'http.status': reply.statusCode,
      duration_ms: seconds * 1000,
    },
    'request',
  )
}
