/**
 * A proxy between one node and the S3 server: passes requests on until it is told to cut, to slow down, to swallow, to
 * refuse, to list late, or to hold in the middle of the upload of a pack.
 */
import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { breakOff, type Trap, TrapDoor } from './held.ts'

/** Index not yet sent; pack not yet sent; half of the pack sent; pack stored, but the answer not passed on yet. */
export const STORE_POINTS = ['after-index', 'before-upload', 'half-upload', 'after-upload'] as const
export type StorePoint = (typeof STORE_POINTS)[number]

/**
 * cut: no connection gets through. slow: every request waits. hole: requests vanish without an error. deaf: requests are
 * carried out, and the answers to uploads are lost. lingering: deletions are delayed. busy: every few requests are
 * refused with 503 SlowDown. overloaded: all of them are.
 */
export type StoreWeather = 'fair' | 'cut' | 'slow' | 'hole' | 'deaf' | 'lingering' | 'busy' | 'overloaded'

const SLOW_MS = 300
const LINGERING_MS = 3_000
/** A busy store refuses one request in this many. */
const REFUSED_EVERY = 3
const SLOW_DOWN = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>`

export class StoreProxy implements AsyncDisposable {
  readonly traps = new TrapDoor<StorePoint>()
  private readonly server: Server
  private readonly agent = new Agent({ keepAlive: true })
  private readonly upstream: URL
  private readonly sockets = new Set<Socket>()
  private weather: StoreWeather = 'fair'
  /** Requests and connections that were affected. */
  struck = 0
  /** Lists lack objects stored in the last seconds, and still show objects deleted in them. */
  listsLate = false
  private served = 0

  private constructor(endpoint: string) {
    this.upstream = new URL(endpoint)
    this.server = createServer((asked, answer) => {
      // A request that fails here fails for the node as well.
      this.serve(asked, answer).catch(() => asked.socket.destroy())
    })
    this.server.on('connection', (socket) => {
      if (this.weather === 'cut') {
        this.struck += 1
        return breakOff(socket)
      }
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
  }

  static async open(endpoint: string): Promise<StoreProxy> {
    const proxy = new StoreProxy(endpoint)
    proxy.server.listen(0, '127.0.0.1')
    await once(proxy.server, 'listening')
    return proxy
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Swallowed requests stay swallowed: their connections break when the weather changes. */
  become(weather: StoreWeather): void {
    if (weather === 'cut' || this.weather === 'hole') this.reset()
    this.weather = weather
  }

  private reset(): void {
    this.struck += this.sockets.size
    for (const socket of this.sockets) breakOff(socket)
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(asked)
    if (await this.keepsFrom(asked, answer)) return
    const ending = asked.method === 'PUT' ? /\.(idx|pack)$/.exec(pathOf(asked))?.[1] : undefined
    const before = this.traps.take(...(ending === 'idx' ? ['after-index'] : ending ? BEFORE_ANSWER : []))
    if (before !== undefined) return this.stopBefore(before, asked, body)
    const { status, message, headers, content } = await this.pass(asked, body)
    note(asked)
    const after = ending === 'pack' ? this.traps.take('after-upload') : undefined
    if (after !== undefined) return after.spring({ reset: () => breakOff(asked.socket) })
    if (this.weather === 'deaf' && ending !== undefined) {
      this.struck += 1
      return void breakOff(asked.socket)
    }
    if (!this.listsLate || !isListing(asked))
      return void answer.writeHead(status, message, headers).end(content)
    this.struck += 1
    const late = asListedBefore(content.toString())
    answer.writeHead(status, message, { 'content-type': 'application/xml' }).end(late)
  }

  /** Whether a fault keeps a request from the store; it may also only delay it. */
  private async keepsFrom(asked: IncomingMessage, answer: ServerResponse): Promise<boolean> {
    this.served += 1
    const isRefused =
      this.weather === 'overloaded' || (this.weather === 'busy' && this.served % REFUSED_EVERY === 0)
    const isLingering = this.weather === 'lingering' && asked.method === 'DELETE'
    if (isRefused || isLingering || this.weather === 'hole' || this.weather === 'slow') this.struck += 1
    if (isRefused) answer.writeHead(503, 'Slow Down', { 'content-type': 'application/xml' }).end(SLOW_DOWN)
    if (this.weather === 'slow') await sleep(SLOW_MS)
    if (isLingering) await sleep(LINGERING_MS)
    return isRefused || this.weather === 'hole'
  }

  private stopBefore(trap: Trap<StorePoint>, asked: IncomingMessage, body: Buffer): void {
    const half = trap.point === 'half-upload' ? this.begin(asked) : undefined
    half?.write(body.subarray(0, body.length / 2))
    trap.spring({
      reset: () => {
        half?.destroy()
        breakOff(asked.socket)
      },
    })
  }

  private async pass(asked: IncomingMessage, body: Buffer) {
    const passed = this.begin(asked)
    passed.end(body)
    const [answered] = (await once(passed, 'response')) as [IncomingMessage]
    return {
      status: answered.statusCode ?? 502,
      message: answered.statusMessage ?? '',
      headers: answered.rawHeaders,
      content: await buffer(answered),
    }
  }

  /** The Host header stays: it is part of the node's signature. */
  private begin(asked: IncomingMessage) {
    const { hostname, port } = this.upstream
    const { method, url: path, headers } = asked
    const passed = request({ agent: this.agent, hostname, port, method, path, headers })
    // A server that has answered may close before it has read everything.
    return passed.on('error', () => undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close()
    this.server.closeAllConnections()
    this.agent.destroy()
    await once(this.server, 'close')
  }
}

const BEFORE_ANSWER: readonly StorePoint[] = ['before-upload', 'half-upload']

/** Recent uploads and deletions by key: all proxies of a process are in front of the same store. */
const lately = { PUT: new Map<string, number>(), DELETE: new Map<string, number>() }
const LATE_MS = 10_000

function note(asked: IncomingMessage): void {
  if (asked.method === 'PUT' || asked.method === 'DELETE')
    lately[asked.method].set(keyOf(asked), performance.now())
}

/** Without the bucket name. */
function keyOf(asked: IncomingMessage): string {
  return decodeURIComponent(pathOf(asked)).split('/').slice(2).join('/')
}

function isListing(asked: IncomingMessage): boolean {
  return asked.method === 'GET' && (asked.url ?? '').includes('list-type=2')
}

/** The list as it would have been a few seconds ago. */
function asListedBefore(xml: string): string {
  const since = performance.now() - LATE_MS
  const recent = (keys: ReadonlyMap<string, number>) =>
    new Set([...keys].filter(([, at]) => at > since).map(([key]) => key))
  const stored = recent(lately.PUT)
  const prefix = /<Prefix>(.*?)<\/Prefix>/.exec(xml)?.[1] ?? ''
  const deleted = [...recent(lately.DELETE)].filter((key) => key.startsWith(prefix))
  const shown = deleted.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified><Size>1</Size></Contents>`,
  )
  return xml
    .replaceAll(/<Contents>.*?<Key>(.*?)<\/Key>.*?<\/Contents>/gs, (item, key: string) =>
      stored.has(key) ? '' : item,
    )
    .replace('</ListBucketResult>', `${shown.join('')}</ListBucketResult>`)
}

function pathOf(asked: IncomingMessage): string {
  return (asked.url ?? '').split('?')[0] ?? ''
}
