/** The guarded client: one deadline over all hops, each hop pinned to the address that was checked. */
import assert from 'node:assert/strict'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import { invalid, Problem } from '#platform/problem'
import { connectTo } from './connect.ts'
import { type Hop, nextHop, redirectOf } from './redirect.ts'
import { hostOf, resolveTarget, type Target, type TargetRules } from './target.ts'

export interface OutboundLimits {
  /** From the first DNS lookup to the last byte of the answer, over all redirects. */
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  /** As received: a compressed answer stays compressed. */
  readonly answerBytesMax: number
  /** With 0 a redirect is returned like any other answer. */
  readonly redirectsMax: number
}

export interface OutboundRequest extends Partial<Omit<OutboundLimits, 'connectTimeoutMs'>> {
  readonly method: string
  readonly url: string | URL
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** A body that cannot be sent again: only with `redirectsMax` 0. The caller destroys it afterwards. */
  readonly upload?: { readonly stream: Readable; readonly bytes: number }
  readonly signal?: AbortSignal
  /** Destination of the body of a 200 answer, which is then empty here. It is ended, or destroyed on failure. */
  readonly into?: Writable
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The address that answered the last hop. */
  readonly address: string
}

export interface OutboundClient {
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /** For programs we start ourselves, such as git: they must connect to exactly this address. */
  resolve(url: string | URL): Promise<Target>
  /** Aborts requests in progress; their callers get an error. */
  close(): Promise<void>
}

export interface ClientOptions extends OutboundLimits, TargetRules {
  readonly traceparent?: () => string | undefined
}

/** Headers this client sets itself, so that none of them can contradict the URL or the body. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
])

const OK = 200

export function openClient(options: ClientOptions): OutboundClient {
  const closing = new AbortController()

  return {
    request(request) {
      const bounds = {
        ...options,
        timeoutMs: request.timeoutMs ?? options.timeoutMs,
        answerBytesMax: request.answerBytesMax ?? options.answerBytesMax,
        redirectsMax: request.redirectsMax ?? options.redirectsMax,
      }
      return withDeadline(bounds.timeoutMs, [closing.signal, request.signal], (signal) =>
        follow(request, bounds, signal),
      )
    },
    resolve(url) {
      return withDeadline(options.timeoutMs, [closing.signal], (signal) =>
        orAbort(resolveTarget(url, options), signal),
      )
    },
    async close() {
      closing.abort(new Problem('unavailable', 'outbound client is closed'))
    },
  }
}

/** Runs `work` with a signal that aborts at the deadline, when the caller aborts, or when the client closes. */
async function withDeadline<T>(
  timeoutMs: number,
  signals: (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  assert(timeoutMs > 0, 'every wait has a bound')
  const deadline = new AbortController()
  const late = new Problem('unavailable', 'request timed out', { timeout_ms: timeoutMs })
  const timer = setTimeout(() => deadline.abort(late), timeoutMs)
  try {
    const given = signals.filter((signal) => signal !== undefined)
    const signal = AbortSignal.any([deadline.signal, ...given])
    signal.throwIfAborted()
    return await work(signal)
  } finally {
    clearTimeout(timer)
  }
}

async function follow(
  request: OutboundRequest,
  options: ClientOptions,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  assert(request.upload === undefined || options.redirectsMax === 0, 'a stream is sent once')
  let target = await orAbort(resolveTarget(request.url, options), signal)
  let hop: Hop = {
    method: request.method.toUpperCase(),
    url: target.url,
    headers: {
      ...cleanHeaders(request.headers ?? {}),
      ...traceHeaders(options),
      ...(request.upload && { 'content-length': String(request.upload.bytes) }),
    },
    body: request.upload?.stream ?? request.body ?? null,
  }
  for (let hops = 0; ; hops++) {
    const step = await exchange(hop, target, options, signal, request.into)
    if ('body' in step) return step
    if (hops === options.redirectsMax) {
      throw new Problem('unavailable', 'too many redirects', { host: hostOf(hop.url) })
    }
    hop = nextHop(hop, step.status, step.movedTo)
    target = await orAbort(resolveTarget(hop.url, options), signal)
  }
}

function traceHeaders(options: ClientOptions): Record<string, string> {
  const traceparent = options.traceparent?.()
  return traceparent === undefined ? {} : { traceparent }
}

interface Redirect {
  readonly status: number
  readonly movedTo: URL
}

/** One request to one pinned address, on its own connection. */
async function exchange(
  hop: Hop,
  target: Target,
  options: ClientOptions,
  signal: AbortSignal,
  into: Writable | undefined,
): Promise<OutboundAnswer | Redirect> {
  // Loaded with the first request, to save memory on nodes that make none.
  const { Client } = await import('undici')
  const client = new Client(hop.url.origin, {
    connect: connectTo(target.address, { timeoutMs: options.connectTimeoutMs, signal }),
    // The deadline over all hops bounds these two waits.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const { pathname, search } = hop.url
    const answer = await client.request({
      method: hop.method as Dispatcher.HttpMethod,
      path: pathname + search,
      headers: hop.headers,
      body: hop.body,
      signal,
    })
    // An unread body fails when its connection ends; that error has no other listener.
    answer.body.on('error', () => {})
    const movedTo = redirectOf(hop, answer.statusCode, answer.headers.location)
    if (movedTo !== undefined && options.redirectsMax > 0) return { status: answer.statusCode, movedTo }
    const pieces = bounded(answer.body, options.answerBytesMax, hop)
    const isWanted = into !== undefined && answer.statusCode === OK
    const body = isWanted ? await pour(pieces, into, signal) : await collect(pieces)
    return { status: answer.statusCode, headers: answer.headers, body, address: target.address }
  } catch (error) {
    signal.throwIfAborted()
    throw explain(error, target)
  } finally {
    // The answer is complete or abandoned, so nothing waits for the connection to end.
    client.destroy().catch(() => {})
  }
}

async function* bounded(body: AsyncIterable<Buffer>, bytesMax: number, hop: Hop): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      throw new Problem('too_large', 'response is too large', {
        host: hostOf(hop.url),
        bytes_max: bytesMax,
      })
    }
    yield chunk
  }
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const piece of pieces) chunks.push(piece)
  return Buffer.concat(chunks)
}

async function pour(pieces: AsyncIterable<Buffer>, into: Writable, signal: AbortSignal): Promise<Buffer> {
  await pipeline(pieces, into, { signal })
  return Buffer.alloc(0)
}

function explain(error: unknown, { url, address }: Target): Error {
  if (error instanceof Problem) return error
  const details = { host: hostOf(url), address, code: (error as NodeJS.ErrnoException).code }
  if (details.code === 'UND_ERR_INVALID_ARG') return invalid('invalid request', details)
  return new Problem('unavailable', 'connection failed', details)
}

function cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(named.filter(([name]) => !OWN_HEADERS.has(name)))
}

/** A DNS lookup cannot be cancelled, but its result need not be awaited. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
    if (signal.aborted) stop()
  })
}
