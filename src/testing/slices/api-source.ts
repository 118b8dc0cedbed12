/**
 * For tests: a server that answers in the documented shapes of GitHub (v3) or GitLab (v4), with pages, `Link` headers,
 * limits and faults; its git is the forge's.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const TEXT = { 'content-type': 'application/json' }

export class ApiSource implements AsyncDisposable {
  /** By path below the API, such as `/repos/ann/site/issues`; lists are served in pages, other values as they are. */
  records: Record<string, unknown> = {}
  /** Requests of the API: `/repos/ann/site/issues 2` is the second page. */
  readonly asked: string[] = []
  /** Values of the Authorization header, in order. */
  readonly secrets: (string | undefined)[] = []
  /** Answers instead of the records if it returns something; `never` is never answered. */
  interrupt: (asked: string, secret: string | undefined) => Answer | 'never' | undefined = () => undefined
  /** Paths of git at this server, and of the repository of the forge that is meant. */
  gitPaths: Record<string, string> = {}
  private readonly server: Server
  private readonly gitBase: string
  private readonly api: string

  private constructor(gitBase: string, api: string) {
    this.gitBase = gitBase
    this.api = api
    this.server = createServer((request, response) => void this.serve(request, response))
  }

  static async open(gitBase: string, api: '/api/v3' | '/api/v4'): Promise<ApiSource> {
    const source = new ApiSource(gitBase, api)
    await new Promise<void>((resolve) => source.server.listen(0, '127.0.0.1', resolve))
    return source
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** Forgets what was asked, and answers without limits and faults. */
  reset(records: Record<string, unknown>): void {
    this.records = records
    this.asked.length = 0
    this.secrets.length = 0
    this.interrupt = () => undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    if (!url.pathname.startsWith(`${this.api}/`)) return this.passOn(request, response)
    const path = url.pathname.slice(this.api.length)
    const page = Number(url.searchParams.get('page') ?? 1)
    const asked = `${path} ${page}`
    this.asked.push(asked)
    this.secrets.push(request.headers.authorization)
    const instead = this.interrupt(asked, request.headers.authorization)
    if (instead === 'never') return
    if (instead !== undefined) return send(response, instead)
    const found = this.records[path]
    if (found === undefined) return send(response, { status: 404, body: { message: 'Not Found' } })
    if (Buffer.isBuffer(found)) return void response.end(found)
    if (!Array.isArray(found)) return send(response, { status: 200, body: found })
    const size = Number(url.searchParams.get('per_page'))
    const body = found.slice((page - 1) * size, page * size)
    send(response, { status: 200, headers: this.links(url, page, found.length > page * size), body })
  }

  private links(url: URL, page: number, hasNext: boolean): Record<string, string> {
    if (!hasNext) return {}
    const next = new URL(url)
    next.searchParams.set('page', String(page + 1))
    return { link: `<${this.url}/api/first>; rel="first", <${next.href}>; rel="next"` }
  }

  private async passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host: _, connection: __, ...headers } = request.headers
    const body = request.method === 'POST' ? await buffer(request) : undefined
    let path = request.url ?? '/'
    for (const [from, to] of Object.entries(this.gitPaths)) path = path.replace(from, to)
    const answer = await fetch(this.gitBase + path, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body && { body }),
    })
    const type = answer.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': type }).end(bytes)
  }
}

function send(response: ServerResponse, { status, headers = {}, body = [] }: Answer): void {
  response.writeHead(status, { ...TEXT, ...headers }).end(JSON.stringify(body))
}
