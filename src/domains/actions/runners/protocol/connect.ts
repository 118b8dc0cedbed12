/**
 * The protocol of runners: unary Connect calls over plain HTTP. The Connect library encodes and decodes messages in
 * all supported formats.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import {
  Code,
  ConnectError,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from '@connectrpc/connect'
import type { Compression, UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol'
import type { Context } from '#platform/context'
import { databaseAway } from '#platform/db'
import { must } from '#platform/must'
import { Problem, type ProblemKind } from '#platform/problem'
import type { RawAnswer } from '#platform/rest'
import type { CallingRunner } from '../dispatch/callers.ts'
import { assertFewParts } from './assert-few-parts.ts'
import { CALL, type Call, callOf, runnerOf } from './call.ts'
import { PingService } from './gen/ping/v1/messages_pb.ts'
import { RunnerService } from './gen/runner/v1/messages_pb.ts'
import { declareRunner, fetchTask, ping, registerRunner, updateLog, updateTask } from './service.ts'

const CODES: Readonly<Record<ProblemKind, Code>> = {
  malformed: Code.InvalidArgument,
  invalid: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  forbidden: Code.PermissionDenied,
  not_found: Code.NotFound,
  moved: Code.NotFound,
  method_not_allowed: Code.Unimplemented,
  conflict: Code.Aborted,
  empty_repository: Code.FailedPrecondition,
  precondition: Code.FailedPrecondition,
  locked: Code.FailedPrecondition,
  too_large: Code.ResourceExhausted,
  too_many: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  lost: Code.DataLoss,
}
/** Unregistered callers can only send `Ping` and `Register`; a runner may also send logs. */
const STRANGER_BYTES_MAX = 65_536
const RUNNER_BYTES_MAX = 16_777_216

/** The library answers 500 to messages that it cannot parse. */
const UNREADABLE: RawAnswer = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ code: 'invalid_argument', message: 'message cannot be read' }),
}

/** Magic number of gzip, with which no message begins. */
const GZIP = [0x1f, 0x8b]

const gzipped: Compression = {
  name: 'gzip',
  compress: async (bytes) => new Uint8Array(await promisify(gzip)(bytes)),
  decompress: async (bytes, readMaxBytes) => {
    if (bytes.length === 0) return new Uint8Array()
    const maxOutputLength = Math.max(1, readMaxBytes)
    const plain = await promisify(gunzip)(bytes, { maxOutputLength }).catch((error: unknown) => {
      const isLong = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
      throw new ConnectError(
        'message cannot be decompressed',
        isLong ? Code.ResourceExhausted : Code.InvalidArgument,
      )
    })
    assertFewParts(plain)
    return new Uint8Array(plain)
  },
}

/** A `Problem` is returned with its message; any other error is logged and returned as an internal server error. */
const convertErrors: Interceptor = (next) => async (request) => {
  const call = callOf({ values: request.contextValues })
  call.isRead = true
  try {
    return await next(request)
  } catch (error) {
    throw error instanceof ConnectError ? error : connectErrorOf(error, call.ctx)
  }
}

function connectErrorOf(error: unknown, { log }: Context): ConnectError {
  const away = databaseAway(error)
  if (away !== undefined) log.warn({ err: error }, 'database unavailable')
  const problem = away ?? (error instanceof Problem ? error : undefined)
  if (problem !== undefined) return new ConnectError(problem.message, CODES[problem.kind])
  log.error({ err: error }, 'internal server error')
  return new ConnectError('internal server error', Code.Internal)
}

const shared = { grpc: false, grpcWeb: false, acceptCompression: [gzipped], interceptors: [convertErrors] }
const forAll = createConnectRouter({ ...shared, readMaxBytes: STRANGER_BYTES_MAX })
  .rpc(PingService.method.ping, ping)
  .rpc(RunnerService.method.register, registerRunner)
const forRunners = createConnectRouter({
  ...shared,
  readMaxBytes: RUNNER_BYTES_MAX,
  // Rejects callers that are not runners before the body is read.
  requestGate: (context) => {
    runnerOf(context)
  },
})
  .rpc(RunnerService.method.declare, declareRunner)
  .rpc(RunnerService.method.fetchTask, fetchTask)
  .rpc(RunnerService.method.updateTask, updateTask)
  .rpc(RunnerService.method.updateLog, updateLog)

const handlers: ReadonlyMap<string, UniversalHandler> = new Map(
  [...forAll.handlers, ...forRunners.handlers].map((handler) => [handler.requestPath, handler]),
)

interface Arrived {
  readonly ctx: Context
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly stream: Readable | null
  readonly bearer: CallingRunner | null
}

export async function answerCall(
  requestPath: string,
  { ctx, headers, stream, bearer }: Arrived,
): Promise<RawAnswer> {
  const handler = must(handlers.get(requestPath), 'every route is of a procedure')
  const body = stream ?? Readable.from([])
  const late = setTimeout(() => body.destroy(), ctx.config['http.request_timeout_ms'])
  try {
    const call: Call = { ctx, caller: bearer, isRead: false }
    const answer = await handler({
      httpVersion: '1.1',
      url: `${ctx.site.url}${requestPath}`,
      method: 'POST',
      header: headersOf(headers),
      body: readWhole(body, bearer === null ? STRANGER_BYTES_MAX : RUNNER_BYTES_MAX, () =>
        clearTimeout(late),
      ),
      signal: ctx.signal,
      contextValues: createContextValues().set(CALL, call),
    })
    return call.isRead || answer.status !== 500 ? await answerOf(answer) : UNREADABLE
  } finally {
    clearTimeout(late)
    body.resume()
  }
}

async function answerOf({ status, header, body }: UniversalServerResponse): Promise<RawAnswer> {
  return {
    status,
    headers: Object.fromEntries(header ?? []),
    body: body === undefined ? undefined : await buffer(Readable.from(body)),
  }
}

/**
 * Stops reading after `bytesMax`, because the library refuses longer messages. Compressed messages are checked after
 * decompression.
 */
async function* readWhole(body: Readable, bytesMax: number, done: () => void): AsyncGenerator<Uint8Array> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bytesMax) break
  }
  const message = Buffer.concat(chunks)
  const isCompressed = message[0] === GZIP[0] && message[1] === GZIP[1]
  if (!isCompressed && bytes <= bytesMax) assertFewParts(message)
  yield message
  done()
}

function headersOf(headers: Readonly<IncomingHttpHeaders>): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return new Headers(entries)
}
