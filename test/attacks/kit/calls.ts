/** HTTP calls: complete, held back before their end, or by a client that never reads the answer. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Person {
  readonly name: string
  readonly password: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  readonly json: unknown
  readonly seconds: number
}

export interface CallOptions {
  /** Of the called node, if it is not the first. */
  readonly base?: string
  readonly headers?: Record<string, string>
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** The request and its user; anonymous without one. */
export interface Asked {
  readonly who?: Person | undefined
  readonly method: string
  readonly path: string
}

export interface Held {
  /** Sends the bytes that were held back. */
  finish(): Promise<Answer>
}

const CALL_MS = 60_000
const ANSWER_BYTES_MAX = 256 * 1024 * 1024

export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const noise = (bytes: number) => randomBytes(bytes)
export const basic = ({ name, password }: Person) => `Basic ${base64(`${name}:${password}`)}`

/** Each call has its own connection; redirects are not followed. */
export function call(base: string, asked: Asked, body?: unknown, options: CallOptions = {}): Promise<Answer> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const { sent, answer } = begin(base, asked, bytes?.length, options)
  sent.end(bytes)
  return answer
}

/** A request whose last bytes are held back until `finish`. */
export function hold(
  base: string,
  asked: Asked,
  body: Buffer,
  heldBytes: number,
  options: CallOptions = {},
): Held {
  const { sent, answer } = begin(base, asked, body.length, options)
  answer.catch(() => undefined)
  sent.flushHeaders()
  const early = body.subarray(0, body.length - heldBytes)
  if (early.length > 0) sent.write(early)
  return {
    finish: () => {
      sent.end(body.subarray(early.length))
      return answer
    },
  }
}

/** The fields of a form as a browser sends them. */
export function formBytes(fields: Record<string, string>): Buffer {
  return Buffer.from(new URLSearchParams(fields).toString())
}

/** Sends a request and never reads the answer. */
export function askAndIgnore(base: string, head: string, body: Buffer = Buffer.alloc(0)): Socket {
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(Buffer.concat([Buffer.from(head.replaceAll('\n', '\r\n')), body]))
  return socket
}

/** An attack by requests proves nothing when none was answered. */
export async function assertAnswered(sockets: readonly Socket[]): Promise<void> {
  const starts = sockets.map(async (socket) => {
    const [chunk] = await once(socket.resume(), 'data', { signal: AbortSignal.timeout(5_000) })
    return String(chunk).startsWith('HTTP/1.1 200')
  })
  const answered = await Promise.allSettled(starts)
  if (!answered.some((it) => it.status === 'fulfilled' && it.value))
    throw new Error('none of the clients was answered')
}

function begin(
  base: string,
  { who, method, path }: Asked,
  length: number | undefined,
  { headers, timeoutMs = CALL_MS, signal }: CallOptions,
): { sent: ClientRequest; answer: Promise<Answer> } {
  const { hostname, port } = new URL(base)
  const all: Record<string, string> = {}
  if (who !== undefined) all.authorization = basic(who)
  if (length !== undefined)
    Object.assign(all, { 'content-type': 'application/json', 'content-length': String(length) })
  // Not by URL: a path may begin with two slashes.
  const sent = request({
    hostname,
    port,
    method,
    path,
    agent: false,
    headers: { ...all, ...headers },
    ...(signal && { signal }),
  })
  return { sent, answer: answerOf(sent, `${method} ${path}`, timeoutMs) }
}

function answerOf(sent: ClientRequest, what: string, timeoutMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const began = performance.now()
  const late = () => sent.destroy(new Error(`${what} had no answer in ${timeoutMs / 1000} s`))
  const timer = setTimeout(late, timeoutMs)
  sent.once('close', () => clearTimeout(timer))
  sent.once('error', reject)
  sent.once('response', (response) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= ANSWER_BYTES_MAX) chunks.push(chunk)
    })
    response.once('error', reject)
    response.once('end', () => {
      const { statusCode: status = 0, headers } = response
      const bytes = Buffer.concat(chunks)
      const text = bytes.toString('utf8', 0, 1_000_000)
      resolve({
        status,
        headers,
        bytes,
        text,
        json: parse(text),
        seconds: (performance.now() - began) / 1000,
      })
    })
  })
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
