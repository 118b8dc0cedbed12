/** Hand-written git requests, and their answers within a bound. */
import { connect } from 'node:net'

export interface Answer {
  /** Undefined when the connection was closed without an answer. */
  readonly status: number | undefined
  readonly body: Buffer
  readonly tookMs: number
}

export interface Ask {
  readonly method?: string
  /** Sent verbatim: nothing is escaped or normalized. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** How the client sends. */
export interface Manner {
  /** Disconnects after this many bytes. */
  readonly cutAfter?: number
  /** Disconnects after this long without an answer. */
  readonly patienceMs?: number
}

export const FLUSH = '0000'
export const ZERO = '0'.repeat(40)
/** Maximum time for an answer or a closed connection. */
export const ANSWER_MS_MAX = 30_000
/** How much of an answer is kept; the rest is discarded. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024

export function pkt(text: string | Buffer): Buffer {
  const data = Buffer.from(text)
  return Buffer.concat([Buffer.from((data.length + 4).toString(16).padStart(4, '0')), data])
}

export function pkts(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((it) => (it === FLUSH || it === '0001' ? Buffer.from(it) : pkt(it))))
}

/** Protocol 2's `ls-refs`. */
export function listing(...lines: readonly (string | Buffer)[]): Buffer {
  return pkts('command=ls-refs\n', '0001', ...lines, FLUSH)
}

/** The head of a request, unchecked: validation is up to the server. */
export function requestBytes(ask: Ask, authorization: string): Buffer {
  const { method = ask.body === undefined ? 'GET' : 'POST', path, body = Buffer.alloc(0) } = ask
  const headers = {
    host: 'forge.test',
    authorization,
    connection: 'close',
    ...(ask.body === undefined ? {} : { 'content-length': String(body.length) }),
    ...ask.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

/** Sends bytes and waits for the other side to finish; throws after a timeout. */
export function send(url: string, bytes: Buffer, { cutAfter, patienceMs }: Manner = {}): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const began = performance.now()
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  let size = 0
  const timer = setTimeout(() => {
    socket.destroy()
    reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`))
  }, ANSWER_MS_MAX)
  const leaving = patienceMs === undefined ? undefined : setTimeout(() => socket.end(), patienceMs)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= ANSWER_BYTES_MAX) chunks.push(chunk)
  })
  socket.once('close', () => {
    clearTimeout(timer)
    clearTimeout(leaving)
    resolve(readAnswer(Buffer.concat(chunks), performance.now() - began))
  })
  socket.on('connect', () => {
    socket.write(bytes.subarray(0, cutAfter))
    if (cutAfter !== undefined) socket.end()
  })
  return promise
}

function readAnswer(bytes: Buffer, tookMs: number): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, Math.max(end, 0))
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  const raw = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4)
  const body = /^transfer-encoding: chunked/im.test(head) ? unchunk(raw) : raw
  return { status: status === undefined ? undefined : Number(status), body, tookMs }
}

function unchunk(raw: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = raw.indexOf('\r\n', at)
    const length = end < 0 ? 0 : Number.parseInt(raw.toString('latin1', at, end), 16)
    if (!(length > 0)) return Buffer.concat(parts)
    parts.push(raw.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
}

/** The outcome of a push: of its pack and of each ref. */
export interface Report {
  readonly unpack: string
  readonly refs: ReadonlyMap<string, string>
}

/** Undefined when git ended without a report. */
export function reportOf(body: Buffer): Report | undefined {
  const lines = linesOf(body).map((line) => line.toString('latin1').trimEnd())
  const unpack = lines.find((line) => line.startsWith('unpack '))?.slice('unpack '.length)
  if (unpack === undefined) return undefined
  const refs = new Map<string, string>()
  for (const line of lines) {
    const [, verdict = '', name = '', why = ''] = /^(ok|ng) (\S+) ?(.*)$/s.exec(line) ?? []
    if (verdict !== '') refs.set(name, verdict === 'ok' ? 'ok' : why)
  }
  return { unpack, refs }
}

export function linesOf(body: Buffer): Buffer[] {
  const lines: Buffer[] = []
  for (let at = 0; at + 4 <= body.length; ) {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16)
    if (Number.isNaN(length)) break
    if (length >= 4) lines.push(body.subarray(at + 4, at + length))
    at += Math.max(length, 4)
  }
  return lines
}
