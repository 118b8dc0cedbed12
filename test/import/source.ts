/**
 * A host to import from: it serves one repository over HTTP, and can make all fetches wait at a point, before the first
 * byte or in the middle.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import { git } from '../chaos/git.ts'

/** Nothing was answered yet; half of the pack was sent. */
export const SOURCE_POINTS = ['before-fetch', 'half-fetch'] as const
export type SourcePoint = (typeof SOURCE_POINTS)[number]

const SERVICE = 'git-upload-pack'
const OPENING = `001e# service=${SERVICE}\n0000`

export class Source implements AsyncDisposable {
  readonly path: string
  /** How many fetches came to the closed gate. */
  arrivals = 0
  private gate: { readonly point: SourcePoint; readonly opened: PromiseWithResolvers<void> } | undefined
  private halfBytes = 0
  private readonly server: Server

  private constructor(path: string) {
    this.path = path
    this.server = createServer((asked, answer) => {
      // When a client disconnects its process is killed, and nothing else happens.
      this.serve(asked, answer).catch(() => asked.socket.destroy())
    })
  }

  static async open(path: string): Promise<Source> {
    const source = new Source(path)
    const counted = await git(path, ['count-objects', '-v'])
    source.halfBytes = (Number(/^size-pack: (\d+)$/m.exec(counted)?.[1]) * 1024) / 2
    source.server.listen(0, '127.0.0.1')
    await once(source.server, 'listening')
    return source
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/source.git`
  }

  /** From now on every fetch waits at this point; those waiting elsewhere continue. */
  closeAt(point: SourcePoint): void {
    this.letGo()
    this.gate = { point, opened: Promise.withResolvers<void>() }
  }

  letGo(): void {
    this.gate?.opened.resolve()
    this.gate = undefined
  }

  private async pass(point: SourcePoint): Promise<void> {
    if (this.gate?.point !== point) return
    this.arrivals += 1
    await this.gate.opened.promise
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const isPost = asked.method === 'POST'
    const sent = await buffer(asked)
    const body = asked.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    const isFetch = isPost && body.includes('command=fetch')
    if (isFetch) await this.pass('before-fetch')
    const kind = isPost ? 'result' : 'advertisement'
    answer.writeHead(200, { 'content-type': `application/x-${SERVICE}-${kind}` })
    if (!isPost) answer.write(OPENING)
    const args = ['--stateless-rpc', ...(isPost ? [] : ['--advertise-refs']), this.path]
    const child = spawn('git', ['upload-pack', ...args], {
      env: { PATH: process.env.PATH ?? '', GIT_PROTOCOL: String(asked.headers['git-protocol'] ?? '') },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => undefined).end(body)
    answer.once('close', () => child.kill('SIGKILL'))
    await this.send(child.stdout, answer, isFetch)
  }

  private send(from: Readable, to: ServerResponse, isFetch: boolean): Promise<void> {
    let bytes = 0
    const counting = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        const isHalf = isFetch && bytes < this.halfBytes && bytes + chunk.length >= this.halfBytes
        bytes += chunk.length
        if (isHalf) void this.pass('half-fetch').then(() => done(null, chunk))
        else done(null, chunk)
      },
    })
    return pipeline(from, counting, to)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.letGo()
    this.server.close()
    this.server.closeAllConnections()
    await once(this.server, 'close')
  }
}
