/** For tests: an import source that serves given data over the APIs of Gitea and GitHub; its git is the forge's. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { LISTS, type RecordKind } from '../../domains/remotes/imports/records/source-records.ts'

type Lists = Readonly<Partial<Record<RecordKind, readonly object[]>>>

export class RestSource implements AsyncDisposable {
  lists: Lists = {}
  /** Requests: `issues 2` is the second page of issues. */
  readonly asked: string[] = []
  readonly secrets = new Set<string | undefined>()
  /** Pages that are never answered. */
  readonly hangs = new Set<string>()
  private readonly server: Server
  private readonly gitBase: string

  private constructor(gitBase: string) {
    this.gitBase = gitBase
    this.server = createServer((request, response) => void this.serve(request, response))
  }

  static async open(gitBase: string): Promise<RestSource> {
    const source = new RestSource(gitBase)
    await new Promise<void>((resolve) => source.server.listen(0, '127.0.0.1', resolve))
    return source
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const kind = /^\/api\/v[13]\/repos\/[^/]+\/[^/]+\/(?:issues\/)?(\w+)$/.exec(url.pathname)?.[1]
    if (kind === undefined || !(kind in LISTS)) return this.passOn(request, response)
    const page = Number(url.searchParams.get('page'))
    // Gitea uses one parameter name, GitHub the other.
    const size = Number(url.searchParams.get(url.pathname.startsWith('/api/v1') ? 'limit' : 'per_page'))
    this.asked.push(`${kind} ${page}`)
    this.secrets.add(request.headers.authorization)
    if (this.hangs.has(`${kind} ${page}`)) return
    const items = (this.lists[kind as RecordKind] ?? []).slice((page - 1) * size, page * size)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(items))
  }

  private async passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host: _, connection: __, ...headers } = request.headers
    const body = request.method === 'POST' ? await buffer(request) : undefined
    const answer = await fetch(this.gitBase + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body && { body }),
    })
    const type = answer.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': type }).end(bytes)
  }
}
