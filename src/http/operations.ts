/** Endpoints for operators: liveness and readiness on the public port, and these with metrics on a port of their own. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Config } from '#platform/config'
import { OperatorError } from '#platform/operator-error'
import { Problem } from '#platform/problem'

/** For load balancers. Metrics are not here: they name every route and every kind of job. */
export function operationsOf(app: FastifyInstance, isReady: () => Promise<string | undefined>): void {
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async () => {
    const refusal = await isReady()
    if (refusal !== undefined) throw new Problem('unavailable', refusal)
    return { status: 'ready' }
  })
}

/** A node as its operations port shows it. */
export interface ObservedNode {
  /** Why the node must get no traffic now; undefined when it may. */
  refusal(): Promise<string | undefined>
  /** All metrics, in Prometheus text format. */
  scrape(): Promise<string>
}

const STARTING: ObservedNode = {
  refusal: async () => 'starting',
  scrape: async () => '',
}
const HEADER_TIMEOUT_MS = 15_000
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EADDRNOTAVAIL: 'is not an address of this machine',
  EACCES: 'needs more rights',
}

/** Opened before anything else of a node, so that it answers while the node starts. */
export class OperationsPort {
  private readonly token: string
  private node = STARTING
  private scraping: Promise<string> | undefined

  /** Undefined when `operations.port` is 0. */
  static async open(config: Config): Promise<OperationsPort | undefined> {
    const { 'operations.host': host, 'operations.port': port } = config
    if (port === 0) return undefined
    const operations = new OperationsPort(config['telemetry.metrics_token'])
    const server = createServer({ headersTimeout: HEADER_TIMEOUT_MS }, (request, response) =>
      operations.answer(request, response),
    )
    await listen(server, host, port)
    return operations
  }

  private constructor(token: string) {
    this.token = token
  }

  /** From now on the port shows this node. */
  show(node: ObservedNode): void {
    this.node = node
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume()
    this.write(request, response).catch((error: Error) => sendStatus(response, 500, error.message))
  }

  private async write(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? '').split('?')
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendStatus(response, 405, 'not allowed')
    if (path === '/healthz') return sendStatus(response, 200, 'alive')
    if (path === '/readyz') {
      const refusal = await this.node.refusal()
      return sendStatus(response, refusal === undefined ? 200 : 503, refusal ?? 'ready')
    }
    if (path !== '/metrics') return sendStatus(response, 404, 'not found')
    if (this.token !== '' && !same(request.headers.authorization ?? '', `Bearer ${this.token}`))
      return sendStatus(response.setHeader('www-authenticate', 'Bearer'), 401, 'token is required')
    const text = await this.scrape()
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8').end(text)
  }

  /** Scrapes at the same moment share one reading. */
  private scrape(): Promise<string> {
    this.scraping ??= this.node.scrape().finally(() => {
      this.scraping = undefined
    })
    return this.scraping
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    const reason = REASONS[code] ?? `cannot be opened (${code})`
    throw new OperatorError(`operations.port: ${host}:${port} ${reason}; set another one, or 0 for none`)
  }
  // It must not keep a node alive that has nothing else to do.
  server.unref()
}

function sendStatus(response: ServerResponse, code: number, status: string): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ status }))
}

/** Compares digests, so that timing reveals neither content nor length. */
function same(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
