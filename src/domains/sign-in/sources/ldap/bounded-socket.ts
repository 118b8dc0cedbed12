/** A TLS connection that gives up after a maximum of received bytes and a deadline, whatever the directory sends. */
import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'

const RECEIVED_BYTES_MAX = 8 * 1024 * 1024
/** `ldapts` parses the messages of one piece by recursion. */
const PIECE_BYTES = 4_096

export class BoundedSocket extends Duplex {
  /** As `ldapts` recognizes a connection that is open. */
  readonly connecting = false
  readonly readyState = 'open'
  readonly #socket: TLSSocket
  readonly #deadline: NodeJS.Timeout
  #received = 0

  constructor(socket: TLSSocket, timeoutMs: number) {
    super()
    this.#socket = socket
    this.#deadline = setTimeout(() => this.destroy(new Error('directory timed out')), timeoutMs)
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.once('end', () => this.push(null))
    socket.once('error', (error) => this.destroy(error))
    socket.once('close', () => this.destroy())
    socket.pause()
  }

  #receive(bytes: Buffer): void {
    this.#received += bytes.length
    if (this.#received > RECEIVED_BYTES_MAX) {
      this.destroy(new Error('answer of the directory is too large'))
      return
    }
    let takesMore = true
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      takesMore = this.push(bytes.subarray(at, at + PIECE_BYTES))
    if (!takesMore) this.#socket.pause()
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done)
  }

  override _final(done: () => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#deadline)
    this.#socket.destroy()
    done(error)
  }
}
