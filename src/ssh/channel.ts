/** One connection of the session socket: the request, then bytes both ways, and an exit code at the end. */
import type { Socket } from 'node:net'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Problem } from '#platform/problem'

/** Frame types that `session-socket.pl` handles. */
const EXIT = 0
const OUTPUT = 1
const MESSAGE = 2
const LENGTH_BYTES = 4
const WORDS_BYTES_MAX = 16_384
const WORDS_TIMEOUT_MS = 10_000
/** For the last line of a connection that is cut. */
const CUT_MS = 1_000
/** Git writes something every few seconds, and the slowest client sends something within this time. */
const IDLE_MS_MAX = 1_800_000

export class Channel {
  readonly words: readonly string[]
  readonly input: Readable
  readonly output: Writable
  /** Aborts when the other side is gone, so that its work can stop. */
  readonly signal: AbortSignal
  private readonly socket: Socket

  static async open(socket: Socket, stallMsMax: number): Promise<Channel> {
    return new Channel(socket, await readWords(socket), stallMsMax)
  }

  private constructor(socket: Socket, words: readonly string[], stallMsMax: number) {
    this.socket = socket
    this.words = words
    this.signal = goneSignal(socket)
    // The reader of the input may end it early, and the connection must outlive that.
    const input = socket.pipe(new PassThrough())
    socket.once('close', () => input.destroy())
    this.input = input
    this.output = outputOf(socket)
    cutWhenStalled(socket, stallMsMax)
  }

  /** The other side has disconnected, or was disconnected. */
  get isGone(): boolean {
    return this.socket.destroyed
  }

  /** One line for the user. Control characters are removed, so that text of others cannot steer the terminal. */
  say(line: string): void {
    if (this.socket.writable)
      this.socket.write(frame(MESSAGE, Buffer.from(`bloomery: ${line.replace(/\p{Cc}/gu, '?')}\n`)))
  }

  /** Ends the connection whatever it does. The client reads the line if it reads anything. */
  cut(line: string): void {
    this.say(line)
    this.socket.destroySoon()
    setTimeout(() => this.socket.destroy(), CUT_MS).unref()
  }

  /** Sent after all output. */
  async exit(code: number): Promise<void> {
    this.output.end()
    await finished(this.output).catch(() => undefined)
    if (this.socket.writable) this.socket.write(frame(EXIT, Buffer.from([code])))
    this.socket.destroySoon()
  }
}

function readWords(socket: Socket): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const cut = () => reject(new Problem('malformed', 'request was truncated'))
  const timer = setTimeout(cut, WORDS_TIMEOUT_MS)
  let pending = Buffer.alloc(0)
  const hear = (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    if (pending.length < LENGTH_BYTES) return
    const end = LENGTH_BYTES + pending.readUInt32BE()
    if (end > WORDS_BYTES_MAX) return reject(new Problem('too_large', 'command is too long'))
    if (pending.length < end) return
    socket.off('data', hear).pause()
    // What follows belongs to the client's input.
    if (pending.length > end) socket.unshift(pending.subarray(end))
    resolve(pending.toString('utf8', LENGTH_BYTES, end).split('\0'))
  }
  socket.on('data', hear).once('end', cut).once('close', cut)
  return promise.finally(() => {
    clearTimeout(timer)
    socket.off('data', hear).off('end', cut).off('close', cut)
  })
}

function goneSignal(socket: Socket): AbortSignal {
  const controller = new AbortController()
  socket.once('close', () => controller.abort())
  return controller.signal
}

/** A client that does not read available output has less time than an idle one. */
function cutWhenStalled(socket: Socket, stallMsMax: number): void {
  let moved = 0
  let silentMs = 0
  socket.setTimeout(stallMsMax).on('timeout', () => {
    const isSilent = socket.bytesRead + socket.bytesWritten === moved
    moved = socket.bytesRead + socket.bytesWritten
    silentMs = isSilent ? silentMs + stallMsMax : stallMsMax
    if (socket.writableLength > 0 || silentMs >= IDLE_MS_MAX) socket.destroy()
    else socket.setTimeout(stallMsMax)
  })
}

function outputOf(socket: Socket): Writable {
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // Waiting for the write slows git down to the speed of the client.
      socket.cork()
      socket.write(head(OUTPUT, chunk.length))
      socket.write(chunk, (error) => done(error))
      socket.uncork()
    },
  })
  // A disconnect is reported by the signal.
  output.on('error', () => undefined)
  return output
}

function frame(kind: number, bytes: Buffer): Buffer {
  return Buffer.concat([head(kind, bytes.length), bytes])
}

function head(kind: number, length: number): Buffer {
  const bytes = Buffer.alloc(1 + LENGTH_BYTES)
  bytes.writeUInt8(kind)
  bytes.writeUInt32BE(length, 1)
  return bytes
}
