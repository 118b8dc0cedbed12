/** A strict client of the specification: plain HTTP, each request to the next node, without following redirects. */
import { Agent, type IncomingHttpHeaders, request as send } from 'node:http'

/** An answer of the forge. Checks read fields that may be absent or of any type. */
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Undefined when the body is empty or not JSON. */
  readonly json: Json
  /** Request and answer in one line, as evidence. */
  readonly line: string
}

export interface RequestOptions {
  /** A user name, `token:` with a token, or null for anonymous; the administrator by default. */
  readonly as?: string | null
  readonly body?: unknown
  /** The raw body, in place of `body`. */
  readonly raw?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** The path is not below `/api/v1`. */
  readonly root?: boolean
  /** Another repository, user or organization than the usual one of a demand. */
  readonly at?: string
}

export interface Site {
  /** Addresses of all nodes. */
  readonly bases: readonly string[]
  readonly admin: string
  readonly password: string
}

/** Password of every user that the audit creates. */
export const PASSWORD = 'Passw0rd!x'

const ANSWER_MS = 60_000
const SHOWN_BYTES = { path: 160, body: 160, answer: 220 }

export class Client {
  /** Statuses by operation, each with the first request that got it. */
  readonly statuses = new Map<string, Map<number, string>>()
  /** The last request and answer. */
  last = ''
  readonly #site: Site
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 20 })
  #turn = 0

  constructor(site: Site) {
    this.#site = site
  }

  async request(method: string, path: string, asking: RequestOptions = {}): Promise<Answer> {
    const { bases } = this.#site
    const base = bases[this.#turn++ % bases.length] ?? ''
    const url = new URL((asking.root ? '' : '/api/v1') + path, base)
    const sent = asking.raw ?? (asking.body === undefined ? undefined : JSON.stringify(asking.body))
    const headers = this.#headersOf(asking, sent)
    const { status, headers: got, text } = await exchange(url, method, headers, this.#agent, sent)
    const who =
      asking.as === null ? 'nobody' : (asking.as ?? this.#site.admin).replace(/^token:.*/, 'a token')
    const asked = `${method} ${path.slice(0, SHOWN_BYTES.path)} ${String(sent ?? '').slice(0, SHOWN_BYTES.body)}`
    const line = `${asked} as ${who} → ${status} ${text.slice(0, SHOWN_BYTES.answer)}`
    this.last = line
    return { status, headers: got, text, json: parse(text), line }
  }

  /** Records which statuses an operation of the specification returned. */
  async call(operation: string, method: string, path: string, asking?: RequestOptions): Promise<Answer> {
    const answer = await this.request(method, path, asking)
    const seen = this.statuses.get(operation) ?? new Map<number, string>()
    this.statuses.set(operation, seen)
    if (!seen.has(answer.status)) seen.set(answer.status, answer.line)
    return answer
  }

  /** The `Authorization` header of a user. */
  basic(user: string): string {
    return basicOf(user, user === this.#site.admin ? this.#site.password : PASSWORD)
  }

  close(): void {
    this.#agent.destroy()
  }

  #headersOf(
    { as = this.#site.admin, headers }: RequestOptions,
    sent: string | Buffer | undefined,
  ): Record<string, string> {
    const all: Record<string, string> = {}
    if (as?.startsWith('token:')) all.authorization = `token ${as.slice('token:'.length)}`
    else if (as !== null) all.authorization = this.basic(as)
    if (sent !== undefined) all['content-type'] = 'application/json'
    Object.assign(all, headers)
    if (sent !== undefined) all['content-length'] = String(Buffer.byteLength(sent))
    return all
  }
}

export function basicOf(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** The options of a request with a JSON body, unless `asking` has a raw one. */
export function sending(as: string, asking: RequestOptions, body: unknown): RequestOptions {
  return { as, ...asking, ...(asking.raw === undefined ? { body } : {}) }
}

function exchange(
  url: URL,
  method: string,
  headers: Record<string, string>,
  agent: Agent,
  sent: string | Buffer | undefined,
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    headers: IncomingHttpHeaders
    text: string
  }>()
  const question = send(url, { method, headers, agent, timeout: ANSWER_MS }, (response) => {
    const parts: Buffer[] = []
    response.on('data', (part: Buffer) => parts.push(part))
    response.once('error', reject)
    response.once('end', () => {
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, text: Buffer.concat(parts).toString('utf8') })
    })
  })
  question.once('error', reject)
  question.once('timeout', () => question.destroy(new Error(`${method} ${url.pathname} had no answer`)))
  question.end(sent)
  return promise
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
