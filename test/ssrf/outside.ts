/** An external server, played by 127.0.0.2: proxies faithfully, until it is told to redirect clients. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export const OUTSIDE = '127.0.0.2'
const OID = 'a'.repeat(40)

export class Outside implements AsyncDisposable {
  /** Requested paths. */
  readonly heard: string[] = []
  readonly port: number
  /** Where clients are redirected, and how; all of them, or those who request some paths. Undefined: nowhere. */
  leads: { status: number; to: string; from?: RegExp } | undefined
  /** Written into answers in place of the URL of the forge. */
  renames = ''
  /** Where a dumb HTTP repository claims that its objects are. */
  alternates = ''
  private readonly server: Server
  private readonly behind: string

  private constructor(server: Server, behind: string) {
    this.server = server
    this.behind = behind
    this.port = (server.address() as AddressInfo).port
    server.on('request', (request, response) => {
      this.answer(request, response).catch(() => response.destroy())
    })
  }

  /** Passes everything on to `behind` by default. */
  static async open(behind: string): Promise<Outside> {
    const server = createServer()
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(0, OUTSIDE, () => resolve()),
    )
    return new Outside(server, behind)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    this.heard.push(path)
    const body = await buffer(request)
    if (this.leads !== undefined && (this.leads.from?.test(path) ?? true)) {
      response.writeHead(this.leads.status, { location: this.leads.to }).end()
      return
    }
    if (path.startsWith('/folder.git/')) return this.answerFolder(path, response)
    await this.passOn(request, body, response)
  }

  private async passOn(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { host: _, connection: __, ...headers } = request.headers
    const answer = await fetch(this.behind + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    })
    const type = answer.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isText = type.includes('json') && this.renames !== ''
    response
      .writeHead(answer.status, { 'content-type': type })
      .end(isText ? bytes.toString().replaceAll('http://forge.test', this.renames) : bytes)
  }

  /** A dumb HTTP repository: refs in a file, and objects somewhere else. */
  private answerFolder(path: string, response: ServerResponse): void {
    const files: Record<string, string> = {
      '/folder.git/info/refs': `${OID}\trefs/heads/main\n`,
      '/folder.git/HEAD': 'ref: refs/heads/main\n',
      '/folder.git/objects/info/http-alternates': `${this.alternates}\n`,
      '/folder.git/objects/info/alternates': `${this.alternates}\n`,
    }
    const file = files[path.split('?')[0] ?? '']
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(file)
  }
}
