/** Git over HTTP: opens the repository and passes the stream to the storage engine. */
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Type } from 'typebox'
import { type DeployBearer, findTokenBearer } from '#domains/code/keys'
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
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import {
  type Authenticated,
  inviting,
  type PresentedCredentials,
  type RawAnswer,
  type RawRoute,
  rawRoute,
} from '#platform/rest'
import { gitPathOf, openToFetch, openToPush, renewed } from './open-transport.ts'

const SERVICES: readonly Service[] = ['git-upload-pack', 'git-receive-pack']
const NO_CACHE = {
  'cache-control': 'no-cache, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
}
const OWN_TYPE = /^application\/x-git-(?:upload|receive)-pack-request\b/i

/** Git sends credentials only after a challenge. */
const facts = {
  scopes: ['repository'],
  // Compat: credential helpers that sign in with a browser know Gitea by this realm.
  challenge: 'Basic realm="Gitea", charset="UTF-8"',
  params: Type.Object({ owner: Type.String(), repo: Type.String() }),
  authenticate,
  // Git shows its user a text, and only the status of any other type.
  tellFailure: ({ kind, message }: Problem) =>
    kind === 'unavailable'
      ? {
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: `${message}, please try again later\n`,
        }
      : undefined,
}

export const gitRoutes: readonly RawRoute[] = [
  rawRoute({
    ...facts,
    method: 'GET',
    path: '/:owner/:repo/info/refs',
    operationId: 'gitInfoRefs',
    query: Type.Object({ service: Type.Optional(Type.Array(Type.String())) }),
    onlyReads: (query) => !query.getAll('service').includes('git-receive-pack'),
    open: async ({ ctx, params, query, bearer }) => {
      const service = serviceOf(query.service)
      const open = service === 'git-upload-pack' ? openToFetch : openToPush
      const { storageId } = await open(ctx, gitPathOf(params.owner, params.repo), bearer)
      return { service, storageId }
    },
    handle: async ({ ctx, headers, opened: { service, storageId } }) => {
      const body = await advertise(ctx, storageId, service, versionOf(headers))
      return answer(`${service}-advertisement`, body)
    },
  }),
  rawRoute({
    ...facts,
    method: 'POST',
    path: '/:owner/:repo/git-upload-pack',
    operationId: 'gitUploadPack',
    onlyReads: true,
    keepsStream: true,
    open: ({ ctx, params, bearer }) => openToFetch(ctx, gitPathOf(params.owner, params.repo), bearer),
    handle: async ({ ctx, headers, stream, opened: { storageId }, assertStillAllowed }) => {
      using body = await ctx.gitBodies.read(decoded(stream, headers), FETCH_REQUEST_BYTES_MAX)
      await assertStillAllowed()
      const answering = answerFetch(ctx, storageId, body.bytes, versionOf(headers))
      return answer('git-upload-pack-result', await begun(await answering.catch(inviting(ctx.visitor))))
    },
  }),
  rawRoute({
    ...facts,
    method: 'POST',
    path: '/:owner/:repo/git-receive-pack',
    operationId: 'gitReceivePack',
    keepsStream: true,
    open: ({ ctx, params, bearer }) => openToPush(ctx, gitPathOf(params.owner, params.repo), bearer),
    handle: async ({ ctx, headers, stream, opened: { storageId, policy } }) => {
      const input = decoded(stream, headers)
      const output = new PassThrough()
      const streams = { input, output, isStateless: true, protocol: protocolOf(headers) }
      receivePush(ctx, storageId, streams, policy).catch((error: Error) => output.destroy(error))
      return answer('git-receive-pack-result', output)
    },
  }),
]

/** A deploy token comes in HTTP Basic, as user name or password; only git requests accept it. */
async function authenticate(
  ctx: Context,
  { token }: PresentedCredentials,
): Promise<Authenticated<DeployBearer> | undefined> {
  const bearer = token?.scheme === 'basic' ? await findTokenBearer(ctx, token.text) : undefined
  return bearer && { bearer: { ...bearer, renew: (ctx) => renewed(ctx, bearer) } }
}

/** More than one `service` is refused. */
function serviceOf(names: readonly string[] = []): Service {
  if (names.length === 0)
    throw new Problem('forbidden', 'dumb HTTP protocol is not supported, please upgrade git')
  const service = names.length === 1 ? SERVICES.find((it) => it === names[0]) : undefined
  if (service === undefined) throw new Problem('malformed', 'unknown service')
  return service
}

function answer(kind: string, body: Buffer | Readable): RawAnswer {
  return { status: 200, headers: { ...NO_CACHE, 'content-type': `application/x-${kind}` }, body }
}

/** On an invalid request git exits without output; the client then gets an ERR packet. */
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

function protocolOf(headers: IncomingHttpHeaders): string {
  const given = headers['git-protocol']
  return typeof given === 'string' && /^[\w=:.-]{1,200}$/.test(given) ? given : ''
}

function versionOf(headers: IncomingHttpHeaders): 0 | 1 | 2 {
  const words = protocolOf(headers).split(':')
  if (words.includes('version=2')) return 2
  return words.includes('version=1') ? 1 : 0
}

/** Git compresses long requests. The reader of the stream limits the decoded size, and receives its errors. */
function decoded(stream: Readable | null, headers: IncomingHttpHeaders): Readable {
  if (stream === null || !OWN_TYPE.test(headers['content-type'] ?? ''))
    throw new Problem('malformed', 'request body is not a valid git request')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return stream
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new Problem('malformed', 'unsupported content encoding')
  return pipeline(stream, createGunzip(), () => undefined)
}
