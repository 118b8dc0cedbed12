/** Serves routes: requests are validated against the route's schema, answers are JSON. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#platform/problem'
import type { Answer, Route, Upload } from '#platform/rest'
import { API } from '../api-path.ts'
import { JSON_TYPE, listedProblem, sendFailure } from '../edge/failures.ts'
import { readBody } from '../input/read-body.ts'
import { readUpload } from '../input/read-upload.ts'
import type { Parts, ServedParts } from '../parts.ts'
import { assertStillAllowed, serve, serveStreams } from './serve.ts'

export function serveRoutes(app: FastifyInstance, parts: ServedParts): void {
  for (const route of parts.routes) if (!route.takesFile) serveRoute(app, parts, route)
  serveStreams(app, (scope) => {
    for (const route of parts.routes) if (route.takesFile) serveRoute(scope, parts, route)
  })
}

function serveRoute(app: FastifyInstance, parts: ServedParts, route: Route): void {
  const { world, budgets } = parts
  serve(app, parts, {
    // A browser opens an address with its session; the API accepts none.
    route: route.isPage ? { ...route, takesSession: true } : route,
    below: route.isPage ? '' : API,
    bodyBytesMax: world.config[route.bearsContent ? 'http.content_bytes_max' : 'http.body_bytes_max'],
    keepsStream: route.takesFile === true,
    trustsQuery: true,
    charge: (reply, visitor) => budgets.charge(reply, visitor),
    onError: (error, request, reply) =>
      sendFailure(
        reply,
        error instanceof Problem ? listedProblem(route, error) : error,
        request.log,
        world.site.docsUrl,
      ),
    answer: async (entered, request) => {
      const sent = await readSent(parts, route, request)
      await assertStillAllowed(entered, request)
      const answer = await route.handle({ ...entered, ...sent })
      parts.onAnswer?.(route, answer)
      return (reply) => send(reply, answer)
    },
  })
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

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).header('cache-control', 'max-age=0, private, must-revalidate')
  reply.header('x-frame-options', 'SAMEORIGIN')
  if (answer.headers) reply.headers(answer.headers)
  if (isKnown(reply, answer)) {
    if (answer.body instanceof Readable) answer.body.destroy()
    return reply.removeHeader('content-length').code(304).send()
  }
  if (answer.body === undefined) return reply.send()
  // A route that sets another type answers with raw text or bytes.
  if (answer.headers?.['content-type'] !== undefined) return reply.send(answer.body)
  return reply.header('content-type', JSON_TYPE).send(JSON.stringify(answer.body))
}

/** The client has this version. */
function isKnown({ request }: FastifyReply, { status, headers }: Answer): boolean {
  return status === 200 && headers?.etag !== undefined && request.headers['if-none-match'] === headers.etag
}
