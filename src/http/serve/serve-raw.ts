/** Serves raw routes: they define requests and answers, access is checked as everywhere. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '#platform/problem'
import { inviting, type RawAnswer, type RawRoute } from '#platform/rest'
import { API } from '../api-path.ts'
import { sendFailure } from '../edge/failures.ts'
import { assertSameSite } from '../edge/same-site.ts'
import type { ServedParts } from '../parts.ts'
import { assertStillAllowed, serve, serveStreams } from './serve.ts'

export function serveRawRoutes(app: FastifyInstance, parts: ServedParts): void {
  for (const route of parts.rawRoutes) if (!route.keepsStream) serveRaw(app, parts, route)
  serveStreams(app, (scope) => {
    for (const route of parts.rawRoutes) if (route.keepsStream) serveRaw(scope, parts, route)
  })
}

function serveRaw(app: FastifyInstance, parts: ServedParts, route: RawRoute): void {
  assert(!`${route.path}/`.startsWith(`${API}/`), `${route.path} belongs to the interface`)
  const { world, budgets, inProcessApi } = parts
  const { challenge, keepsStream = false } = route
  serve(app, parts, {
    route,
    below: '',
    bodyBytesMax: world.config['http.body_bytes_max'],
    keepsStream,
    trustsQuery: false,
    guard: (request) => {
      // A request admitted by a browser's cookie must come from a page of this forge.
      if (route.takesSession && route.method !== 'GET') assertSameSite(request.headers, world.site)
    },
    charge: (reply, visitor) => {
      try {
        budgets.charge(reply, visitor)
      } catch (error) {
        if (challenge === undefined) throw error
        inviting(visitor)(error)
      }
    },
    answer: async (entered, request) => {
      const { body } = request
      const visit = {
        ...entered,
        ...inProcessApi.as({ ...entered.ctx, memo: new Map() }, { does: [] }),
        body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        stream: body instanceof Readable ? body : null,
        isHead: request.method === 'HEAD',
        assertStillAllowed: () => assertStillAllowed(entered, request),
      }
      if (!keepsStream) await visit.assertStillAllowed()
      const answer = await route.handle(visit)
      return (reply) => send(reply, answer)
    },
    onError: (error, request, reply) => {
      if (challenge !== undefined && isProblem(error, 'unauthenticated'))
        reply.header('www-authenticate', typeof challenge === 'string' ? challenge : challenge(world.site))
      // The rest of the request is not awaited.
      if (isProblem(error, 'too_large')) reply.header('connection', 'close')
      return sendFailure(reply, error, request.log, world.site.docsUrl, route.tellFailure)
    },
  })
}

function isProblem(error: unknown, kind: Problem['kind']): boolean {
  return error instanceof Problem && error.kind === kind
}

function send(reply: FastifyReply, { status, headers, body }: RawAnswer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}
