/** Git over HTTP: names the caller, opens the repository, and lets the storage engine speak. */
import { PassThrough, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openToFetch, openToPush, pushHandlers, repositoryPathOf } from '#domains/contents'
import {
  advertiseRefs,
  answerFetch,
  capabilities,
  FETCH_REQUEST_BYTES_MAX,
  getStorage,
  pktLine,
  receivePush,
  type Service,
} from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { identifyCaller } from './enter.ts'
import { goneSignal } from './gone.ts'
import type { Parts } from './parts.ts'

interface Params {
  readonly owner: string
  readonly repo: string
}

const SERVICES: readonly Service[] = ['git-upload-pack', 'git-receive-pack']
const NO_CACHE = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
}

export function serveGit(app: FastifyInstance, parts: Parts): void {
  app.addContentTypeParser(
    SERVICES.map((service) => `application/x-${service}-request`),
    (_request, payload, done) => done(null, payload),
  )
  app.get<{ Params: Params; Querystring: { service?: string } }>(
    '/:owner/:repo/info/refs',
    (request, reply) =>
      politely(reply, async () => {
        const service = SERVICES.find((it) => it === request.query.service)
        if (service === undefined)
          throw new Problem('forbidden', 'only smart HTTP is spoken here; please use a newer git')
        const ctx = await contextOf(parts, request, reply, service)
        const path = repositoryPathOf(request.params.owner, request.params.repo)
        const repo = await (service === 'git-upload-pack' ? openToFetch(ctx, path) : openToPush(ctx, path))
        const body = await advertise(ctx, repo.storage_id, service, protocolOf(request))
        return reply
          .headers(NO_CACHE)
          .header('content-type', `application/x-${service}-advertisement`)
          .send(body)
      }),
  )
  app.post<{ Params: Params }>('/:owner/:repo/git-upload-pack', (request, reply) =>
    politely(reply, async () => {
      const ctx = await contextOf(parts, request, reply, 'git-upload-pack')
      const repo = await openToFetch(ctx, repositoryPathOf(request.params.owner, request.params.repo))
      const body = await readWhole(decoded(request), FETCH_REQUEST_BYTES_MAX)
      const answer = await answerFetch(ctx, repo.storage_id, body, protocolOf(request))
      return reply
        .headers(NO_CACHE)
        .header('content-type', 'application/x-git-upload-pack-result')
        .send(answer)
    }),
  )
  app.post<{ Params: Params }>('/:owner/:repo/git-receive-pack', (request, reply) =>
    politely(reply, async () => {
      const ctx = await contextOf(parts, request, reply, 'git-receive-pack')
      const repo = await openToPush(ctx, repositoryPathOf(request.params.owner, request.params.repo))
      const handlers = pushHandlers(ctx, repo, asSignedIn({ ctx }))
      const output = new PassThrough()
      const streams = { input: decoded(request), output, isStateless: true, protocol: gitProtocol(request) }
      receivePush(ctx, repo.storage_id, streams, handlers).catch((error: Error) => output.destroy(error))
      return reply
        .headers(NO_CACHE)
        .header('content-type', 'application/x-git-receive-pack-result')
        .send(output)
    }),
  )
}

async function contextOf(
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  service: Service,
): Promise<Context> {
  const { world, identity } = parts
  const per = { log: request.log as Context['log'], signal: goneSignal(reply) }
  const arrival = { headers: request.headers, query: new URLSearchParams(), address: request.ip }
  const { ctx, scopes } = await identifyCaller({ ...world, ...per, actor: null }, identity, arrival)
  const needs = {
    method: service === 'git-upload-pack' ? ('GET' as const) : ('POST' as const),
    scopes: ['repository'],
  }
  const lack = scopes === null ? undefined : identity.scopeRefusal(scopes, needs)
  if (lack !== undefined) throw new Problem('forbidden', lack)
  return ctx
}

/** Git sends what it has only after it was asked for it. */
async function politely(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unauthenticated')
      reply.header('www-authenticate', 'Basic realm="Bloomery", charset="UTF-8"')
    throw error
  }
}

async function advertise(
  ctx: Context,
  storageId: number,
  service: Service,
  protocol: 0 | 1 | 2,
): Promise<Buffer> {
  const storage = await getStorage(ctx.db, storageId)
  const greeting = Buffer.concat([pktLine(`# service=${service}\n`), Buffer.from('0000')])
  if (protocol === 2 && service === 'git-upload-pack') return Buffer.concat([greeting, capabilities(storage)])
  return Buffer.concat([greeting, await advertiseRefs(ctx.db, storage, service, protocol === 1 ? 1 : 0)])
}

function gitProtocol(request: FastifyRequest): string {
  const given = request.headers['git-protocol']
  return typeof given === 'string' && /^[\w=:.-]{1,200}$/.test(given) ? given : ''
}

function protocolOf(request: FastifyRequest): 0 | 1 | 2 {
  const words = gitProtocol(request).split(':')
  if (words.includes('version=2')) return 2
  return words.includes('version=1') ? 1 : 0
}

/** Git compresses long requests. What comes out is bounded by whoever reads it. */
function decoded(request: FastifyRequest): Readable {
  const body = (request.body ?? request.raw) as Readable
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new Problem('malformed', 'the encoding is not known')
  const gunzip = createGunzip()
  body.on('error', (error) => gunzip.destroy(error))
  return body.pipe(gunzip).pipe(new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) }))
}

async function readWhole(stream: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > most) throw new Problem('too_large', 'the request is too large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('malformed', 'the request cannot be read')
  }
  return Buffer.concat(chunks)
}
