/** Messages of `git-lfs-transfer`: a command with arguments, then lines or data after a delimiter, all in pkt-lines. */
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { DELIMITER, FLUSH, LINE_DATA_BYTES_MAX, type Pkt, PktReader, pktLine, textOf } from '#git'
import { Problem } from '#platform/problem'

const ARGUMENTS_MAX = 20
/** As many objects as a batch may have; longer messages have no meaning. */
const LINES_MAX = 1_000
const LINE_BYTES_MAX = 4_096

export interface Message {
  readonly command: string
  /** Behind the command. */
  readonly subject: string
  readonly args: ReadonlyMap<string, string>
  /** Lines or data follow, to be read before the next message. */
  readonly hasMore: boolean
}

export class MessageReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #reader = new PktReader()

  constructor(input: Readable) {
    this.#chunks = (input as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  /** Undefined when the client is gone. */
  async next(): Promise<Message | undefined> {
    const first = await this.#pkt()
    if (first === undefined) return undefined
    const [command = '', subject = ''] = lineOf(first).split(' ', 2)
    const args = new Map<string, string>()
    for (let read = 0; ; read++) {
      const pkt = await this.#need()
      if (pkt.kind === 'flush' || pkt.kind === 'delimiter')
        return { command, subject, args, hasMore: pkt.kind === 'delimiter' }
      if (read === ARGUMENTS_MAX) throw tooLong()
      const line = lineOf(pkt)
      const equals = line.indexOf('=')
      if (equals > 0) args.set(line.slice(0, equals), line.slice(equals + 1))
    }
  }

  async lines(): Promise<string[]> {
    const lines: string[] = []
    for (;;) {
      const pkt = await this.#need()
      if (pkt.kind === 'flush') return lines
      if (lines.length === LINES_MAX) throw tooLong()
      lines.push(lineOf(pkt))
    }
  }

  async *data(): AsyncGenerator<Buffer> {
    for (;;) {
      const pkt = await this.#need()
      if (pkt.kind === 'flush') return
      if (pkt.kind !== 'line') throw new Problem('malformed', 'protocol error: unexpected packet')
      yield pkt.data
    }
  }

  async #need(): Promise<Pkt> {
    const pkt = await this.#pkt()
    if (pkt === undefined) throw new Problem('malformed', 'protocol error: connection ended early')
    return pkt
  }

  async #pkt(): Promise<Pkt | undefined> {
    for (;;) {
      const pkt = this.#reader.next()
      if (pkt !== undefined) return pkt
      const { done, value } = await this.#chunks.next()
      if (done) return undefined
      this.#reader.add(value)
    }
  }
}

/** An answer: its status, arguments, and lines or bytes. */
export interface Reply {
  readonly status: number
  readonly args?: Readonly<Record<string, string | number>>
  readonly lines?: readonly string[]
  readonly data?: Readable
}

export async function sendReply(output: Writable, reply: Reply, signal: AbortSignal): Promise<void> {
  const { status, args = {}, lines, data } = reply
  const head = [`status ${status}`, ...Object.entries(args).map(([name, value]) => `${name}=${value}`)]
  const hasBody = lines !== undefined || data !== undefined
  await write(output, [...head.map(textLine), ...(hasBody ? [DELIMITER] : [])], signal)
  if (lines !== undefined) await write(output, lines.map(textLine), signal)
  for await (const chunk of (data ?? []) as AsyncIterable<Buffer>)
    for (let at = 0; at < chunk.length; at += LINE_DATA_BYTES_MAX)
      await write(output, [pktLine(chunk.subarray(at, at + LINE_DATA_BYTES_MAX))], signal)
  await write(output, [FLUSH], signal)
}

export async function sendCapabilities(output: Writable, signal: AbortSignal): Promise<void> {
  await write(output, [textLine('version=1'), textLine('locking'), FLUSH], signal)
}

async function write(output: Writable, parts: readonly Buffer[], signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  // A client that does not read is cut off by the connection, which aborts the signal.
  if (!output.write(Buffer.concat(parts))) await once(output, 'drain', { signal })
}

function textLine(text: string): Buffer {
  return pktLine(`${text}\n`)
}

function lineOf(pkt: Pkt): string {
  if (pkt.kind !== 'line') throw new Problem('malformed', 'protocol error: unexpected packet')
  if (pkt.data.length > LINE_BYTES_MAX) throw tooLong()
  return textOf(pkt.data)
}

function tooLong(): Problem {
  return new Problem('too_large', 'protocol error: message is too long')
}
