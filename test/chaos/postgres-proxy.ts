/**
 * A proxy between one node and PostgreSQL: passes everything on until it is told to cut, or to hold at the COMMIT of a
 * push or of another watched transaction. It parses the protocol, so nodes need no crash points.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { breakOff, type Trap, TrapDoor } from './held.ts'

/** The COMMIT was not sent; it was just sent; PostgreSQL has answered, but the answer was not passed on yet. */
export const COMMIT_POINTS = ['before-commit', 'at-commit', 'after-commit'] as const
export type CommitPoint = (typeof COMMIT_POINTS)[number]

const LENGTH_BYTES = 4
/** Only pushes write refs. */
export const PUSH = /^(?:insert into git_ref |delete from "git_ref")/

export class PostgresProxy implements AsyncDisposable {
  readonly traps = new TrapDoor<CommitPoint>()
  /** While it is set, no connection gets through. */
  isCut = false
  /** Connections that were broken or refused. */
  struck = 0
  /** A transaction with such a statement is held at its COMMIT when there is a trap. */
  watched = PUSH
  private readonly server: Server
  private readonly links = new Set<Link>()
  private socketPath: string

  private constructor(socketPath: string) {
    this.socketPath = socketPath
    this.server = createServer((client) => {
      client.on('error', () => undefined)
      if (this.isCut) {
        this.struck += 1
        return breakOff(client)
      }
      const server = connect(this.socketPath)
      const link = new Link(client, server, this)
      this.links.add(link)
      server.once('close', () => this.links.delete(link))
    })
  }

  static async open(socketPath: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(socketPath)
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.server.address() as { port: number }).port
  }

  /** New connections go to another server from now on, as after a failover. */
  leadTo(socketPath: string): void {
    this.socketPath = socketPath
  }

  /** Breaks every open connection. */
  reset(): void {
    this.struck += this.links.size
    for (const link of this.links) link.reset()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.reset()
    this.server.close()
    await once(this.server, 'close')
  }
}

/** One connection: messages of the client are parsed, answers of the server only passed on. */
class Link {
  private readonly client: Socket
  private readonly server: Socket
  private readonly proxy: Pick<PostgresProxy, 'traps' | 'watched'>
  private pending = Buffer.alloc(0)
  private isStarted = false
  private isWatched = false
  /** Texts of prepared statements by name: they are sent once, and used by name from then on. */
  private readonly prepared = new Map<string, string>()
  /** Nothing more is passed on, and the server does not learn that the client is gone. */
  private isHeld = false
  private awaitingAnswer: Trap<CommitPoint> | undefined

  constructor(client: Socket, server: Socket, proxy: Pick<PostgresProxy, 'traps' | 'watched'>) {
    this.client = client
    this.server = server
    this.proxy = proxy
    client.on('data', (chunk: Buffer) => this.fromClient(chunk))
    server.on('data', (chunk: Buffer) => this.fromServer(chunk)).on('error', () => undefined)
    client.on('close', () => this.isHeld || server.destroy())
    server.on('close', () => client.destroy())
  }

  reset(): void {
    breakOff(this.client)
    this.server.destroy()
  }

  private fromClient(chunk: Buffer): void {
    this.pending = Buffer.concat([this.pending, chunk])
    for (let message = this.next(); message !== undefined; message = this.next()) this.pass(message)
  }

  /** The first message of a connection has no type byte before its length; all others have one. */
  private next(): Buffer | undefined {
    const letters = this.isStarted ? 1 : 0
    if (this.pending.length < letters + LENGTH_BYTES) return undefined
    const length = letters + this.pending.readInt32BE(letters)
    if (this.pending.length < length) return undefined
    const message = this.pending.subarray(0, length)
    this.pending = this.pending.subarray(length)
    this.isStarted = true
    return message
  }

  private pass(message: Buffer): void {
    if (this.isHeld) return
    const query = this.queryOf(message)
    if (/^begin/i.test(query)) this.isWatched = false
    if (this.proxy.watched.test(query)) this.isWatched = true
    if (this.isWatched && /^commit/i.test(query)) this.commit(message)
    else this.server.write(message)
  }

  /** The text of a simple query, or of a statement run with values (Bind); empty for other messages. */
  private queryOf(message: Buffer): string {
    const [first = '', second = ''] = wordsOf(message)
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'Q':
        return first
      case 'P':
        this.prepared.set(first, second)
        return ''
      case 'B':
        return this.prepared.get(second) ?? ''
      default:
        return ''
    }
  }

  private commit(message: Buffer): void {
    const before = this.proxy.traps.take('before-commit')
    if (before !== undefined) {
      this.hold(before)
      return
    }
    this.server.write(message)
    this.awaitingAnswer = this.proxy.traps.take('after-commit')
    this.proxy.traps.take('at-commit')?.spring({ reset: () => this.reset() })
  }

  private fromServer(chunk: Buffer): void {
    if (this.awaitingAnswer !== undefined) this.hold(this.awaitingAnswer)
    if (!this.isHeld) this.client.write(chunk)
  }

  private hold(trap: Trap<CommitPoint>): void {
    this.isHeld = true
    this.awaitingAnswer = undefined
    trap.spring({ reset: () => this.reset() })
  }
}

/** The NUL-terminated strings of a message. */
function wordsOf(message: Buffer): string[] {
  return message.toString('latin1', 1 + LENGTH_BYTES).split('\0', 2)
}
