/** Git over HTTP: names the caller, opens the repository, and lets the storage engine speak. */
import { once } from 'node:events'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DeployBearer, findTokenBearer } from '#domains/keys'
import { type GitPath, gitPathOf, openToFetch, openToPush } from '#domains/transport'
import {
  advertiseRefs,
  answerFetch,
  capabilities,
  FETCH_REQUEST_BYTES_MAX,
  getStorage,
  pktLine,
  receivePush,
  type Service,
  type StorageId,
} from '#git'
import type { Context, Visitor } from '#platform/context'
import { Problem } from '#platform/problem'
import { credentialsOf } from './credentials.ts'
import { identifyCaller } from './enter.ts'
import { goneSignal } from './gone.ts'
import { HeldBodies } from './held-bodies.ts'
import type { ServedParts } from './parts.ts'

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

export function serveGit(app: FastifyInstance, parts: ServedParts): void {
  const bodies = new HeldBodies()
  app.addContentTypeParser(
    SERVICES.map((service) => `application/x-${service}-request`),
    (_request, payload, done) => done(null, payload),
  )
  app.get<{ Params: Params; Querystring: { service?: string } }>(
    '/:owner/:repo/info/refs',
    (request, reply) =>
      politely(reply, async () => {
        const service = SERVICES.find((it) => it === request.query.service)
        if (service === undefined && request.query.service !== undefined)
          throw new Problem('malformed', 'unknown service')
        if (service === undefined)
          throw new Problem('forbidden', 'dumb HTTP protocol is not supported, please upgrade git')
        const { ctx, bearer } = await callerOf(parts, request, reply, service)
        const path = pathOf(request.params)
        const open = service === 'git-upload-pack' ? openToFetch : openToPush
        const { storageId } = await open(ctx, path, bearer)
        const body = await advertise(ctx, storageId, service, protocolOf(request))
        return reply
          .headers(NO_CACHE)
          .header('content-type', `application/x-${service}-advertisement`)
          .send(body)
      }),
  )
  app.post<{ Params: Params }>('/:owner/:repo/git-upload-pack', (request, reply) =>
    politely(reply, async () => {
      const { ctx, bearer } = await callerOf(parts, request, reply, 'git-upload-pack')
      const { storageId, assertStill } = await openToFetch(ctx, pathOf(request.params), bearer)
      using body = await bodies.read(decoded(request), FETCH_REQUEST_BYTES_MAX)
      await assertStill()
      const answering = answerFetch(ctx, storageId, body.bytes, protocolOf(request))
      const answer = await begun(await answering.catch(inviting(ctx.visitor)))
      return reply
        .headers(NO_CACHE)
        .header('content-type', 'application/x-git-upload-pack-result')
        .send(answer)
    }),
  )
  app.post<{ Params: Params }>('/:owner/:repo/git-receive-pack', (request, reply) =>
    politely(reply, async () => {
      const { ctx, bearer } = await callerOf(parts, request, reply, 'git-receive-pack')
      const { storageId, policy, reopen } = await openToPush(ctx, pathOf(request.params), bearer)
      const input = decoded(request)
      const output = new PassThrough()
      const streams = { input, output, isStateless: true, protocol: gitProtocol(request) }
      receivePush({ ...ctx, reopen }, storageId, streams, policy).catch((error: Error) =>
        output.destroy(error),
      )
      return reply
        .headers(NO_CACHE)
        .header('content-type', 'application/x-git-receive-pack-result')
        .send(output)
    }),
  )
}

/** Somebody, nobody, or the bearer of a deploy key, who is nobody but holds something. */
async function callerOf(
  parts: ServedParts,
  request: FastifyRequest,
  reply: FastifyReply,
  service: Service,
): Promise<{ ctx: Context; bearer: DeployBearer | null }> {
  const { world, identity, budgets } = parts
  const charge = (visitor: Visitor) => {
    try {
      budgets.charge(reply, visitor)
    } catch (error) {
      inviting(visitor)(error)
    }
  }
  const per = { log: request.log as Context['log'], signal: goneSignal(reply) }
  const arrival = { headers: request.headers, query: new URLSearchParams(), address: request.ip, charge }
  const nobody: Context = { ...world, ...per, actor: null }
  const bearer = await findDeployBearer(nobody, request.headers.authorization)
  if (bearer !== null) {
    const visitor: Visitor = { lane: 'machine', key: bearer.name }
    charge(visitor)
    return { ctx: { ...nobody, visitor }, bearer }
  }
  const needs = {
    method: service === 'git-upload-pack' ? ('GET' as const) : ('POST' as const),
    scopes: ['repository'],
  }
  return { ctx: await identifyCaller(nobody, identity, arrival, needs), bearer: null }
}

/**
 * Git says who it is only when it is asked to. So where there is no room for strangers they are asked, and not sent
 * away: a person goes on as one.
 */
function inviting(visitor: Visitor | undefined): (error: unknown) => never {
  return (error) => {
    const isCrowded = error instanceof Problem && (error.kind === 'too_many' || error.kind === 'unavailable')
    if (!isCrowded || visitor?.lane !== 'nobody') throw error
    throw new Problem('unauthenticated', `${error.message}, or sign in`, error.details)
  }
}

/** A deploy token comes in HTTP Basic, in the place of the name or of the password, and only git comes this way. */
async function findDeployBearer(
  ctx: Context,
  authorization: string | undefined,
): Promise<DeployBearer | null> {
  for (const credential of credentialsOf(authorization, new URLSearchParams())) {
    if (credential.kind !== 'token' || credential.scheme !== 'basic') continue
    const bearer = await findTokenBearer(ctx, credential.token)
    if (bearer !== undefined) return bearer
  }
  return null
}

/** Git sends what it has only after it was asked for it. */
async function politely(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.kind === 'unauthenticated')
      reply.header('www-authenticate', 'Basic realm="Bloomery", charset="UTF-8"')
    // The rest of the request is not waited for.
    if (error instanceof Problem && error.kind === 'too_large') reply.header('connection', 'close')
    throw error
  }
}

/** PostgreSQL holds no null character, so nothing has a name with one. */
function pathOf({ owner, repo }: Params): GitPath {
  if (owner.includes('\0') || repo.includes('\0')) throw new Problem('not_found', 'not found')
  return gitPathOf(owner, repo)
}

/** Git does not explain itself to nonsense: it ends without a word. The client is told in its own language. */
async function begun(answer: Readable): Promise<Readable | Buffer> {
  const isBegun = await once(answer, 'readable').then(
    () => true,
    () => false,
  )
  return isBegun ? answer : pktLine('ERR request could not be answered')
}

async function advertise(
  ctx: Context,
  storageId: StorageId,
  service: Service,
  protocol: 0 | 1 | 2,
): Promise<Buffer | Readable> {
  const storage = await getStorage(ctx.db, storageId)
  const greeting = Buffer.concat([pktLine(`# service=${service}\n`), Buffer.from('0000')])
  if (protocol === 2 && service === 'git-upload-pack') return Buffer.concat([greeting, capabilities(storage)])
  const refs = advertiseRefs(ctx, storage, service, protocol === 1 ? 1 : 0)
  return Readable.from(joined(greeting, refs), { objectMode: false })
}

async function* joined(opening: Buffer, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let before = opening
  for await (const piece of pieces) {
    yield Buffer.concat([before, piece])
    before = Buffer.alloc(0)
  }
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

/** Git compresses long requests. What comes out is bounded by whoever reads it, who also learns how it ended. */
function decoded({ body, headers }: FastifyRequest): Readable {
  // Only what says that it is git's own comes here as a stream.
  if (!(body instanceof Readable)) throw new Problem('malformed', 'request body is not a valid git request')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new Problem('malformed', 'unsupported content encoding')
  return pipeline(body, createGunzip(), () => undefined)
}
