/** One connection of the session socket: the words of whoever called, then bytes both ways, and an exit code at the end. */
import type { Socket } from 'node:net'
import { PassThrough, type Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Problem } from '#platform/problem'

/** What `session-socket.pl` does with a frame. */
const EXIT = 0
const OUTPUT = 1
const MESSAGE = 2
const LENGTH_BYTES = 4
const WORDS_BYTES_MAX = 16_384
const WORDS_TIMEOUT_MS = 10_000
/** Git says something every few seconds, and the slowest client sends something within this time. */
const IDLE_MS_MAX = 1_800_000

export class Channel {
  readonly words: readonly string[]
  readonly input: Readable
  readonly output: Writable
  /** Aborts when the other side is gone, so that work nobody waits for can stop. */
  readonly signal: AbortSignal
  private readonly socket: Socket

  static async open(socket: Socket, stallMsMax: number): Promise<Channel> {
    return new Channel(socket, await readWords(socket), stallMsMax)
  }

  private constructor(socket: Socket, words: readonly string[], stallMsMax: number) {
    this.socket = socket
    this.words = words
    this.signal = goneSignal(socket)
    // Whoever reads the input may end it early, and the connection must outlive that.
    const input = socket.pipe(new PassThrough())
    socket.once('close', () => input.destroy())
    this.input = input
    this.output = outputOf(socket)
    cutWhenStalled(socket, stallMsMax)
  }

  /** The other side has left, or was shown out. */
  get isGone(): boolean {
    return this.socket.destroyed
  }

  /** One line for the person at the other end. What others have written cannot steer their terminal. */
  say(line: string): void {
    if (this.socket.writable)
      this.socket.write(frame(MESSAGE, Buffer.from(`bloomery: ${line.replace(/\p{Cc}/gu, '?')}\n`)))
  }

  /** All that was written comes before it. */
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
    // What follows is the client's, and for whoever reads the input.
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

/** A client that does not take what is there for it has less time than one that is waited for. */
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
      // Waiting until it is written is what slows git down to the speed of the client.
      socket.cork()
      socket.write(head(OUTPUT, chunk.length))
      socket.write(chunk, (error) => done(error))
      socket.uncork()
    },
  })
  // A client that is gone is told by the signal.
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
