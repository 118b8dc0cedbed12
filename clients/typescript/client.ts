/** A client for the REST interface of a forge: operations by their names, with the types of the contract. */
import { OPERATIONS, type Operations } from './gen/operations.ts'

export type * from './gen/operations.ts'

export type OperationId = keyof Operations
export type Given<Id extends OperationId> = Operations[Id]['given']
export type Body<Id extends OperationId> = Operations[Id]['body']
export type Answer<Id extends OperationId> = Operations[Id]['answer']
/** Operations that answer an array. */
export type ListId = { [Id in OperationId]: Answer<Id> extends readonly unknown[] ? Id : never }[OperationId]
/** Of these, the operations that take the number of a page. */
export type PagedId = { [Id in ListId]: 'page' extends keyof Given<Id> ? Id : never }[ListId]
export type Item<Id extends ListId> = Answer<Id> extends readonly (infer T)[] ? T : never

export interface ClientOptions {
  /** The address of the forge, without `/api/v1`. */
  readonly url: string
  /** An access token. Without `token` and `basic` the client asks as nobody. */
  readonly token?: string
  readonly basic?: { readonly username: string; readonly password: string }
  /** How long one request may take, its answer included: 30 seconds unless given. */
  readonly timeoutMs?: number
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  /** Ends the request early. */
  readonly signal?: AbortSignal
}

export interface List<T> {
  readonly items: readonly T[]
  /** How many there are on all pages, if the forge says so (`X-Total-Count`). */
  readonly total: number | undefined
}

/** The arguments after the first two: a body is needed where the operation takes one. */
type Rest<Id extends OperationId> =
  Body<Id> extends undefined
    ? [body?: undefined, options?: CallOptions]
    : [body: Body<Id>, options?: CallOptions]

export interface Client {
  /** The answer of an operation; throws a `ForgeError` when the forge refuses. */
  call<Id extends OperationId>(id: Id, given: Given<Id>, ...rest: Rest<Id>): Promise<Answer<Id>>
  /** An answer that is an array, with the number of all items. */
  list<Id extends ListId>(id: Id, given: Given<Id>, ...rest: Rest<Id>): Promise<List<Item<Id>>>
  /** One page after the other, from `given.page` or the first on. */
  pages<Id extends PagedId>(
    id: Id,
    given: Given<Id>,
    options?: CallOptions,
  ): AsyncGenerator<readonly Item<Id>[], void, undefined>
}

/** The forge answered with a status that is no success. */
export class ForgeError extends Error {
  override readonly name = 'ForgeError'
  readonly operation: string
  readonly status: number
  /** The address that was asked. */
  readonly url: string

  constructor(operation: string, status: number, message: string, url: string) {
    super(message)
    this.operation = operation
    this.status = status
    this.url = url
  }
}

const TIMEOUT_MS = 30_000
/** Of a refusal that is not JSON, as a proxy before the forge may write it. */
const MESSAGE_LENGTH_MAX = 500

export function createClient(options: ClientOptions): Client {
  const { token, basic, timeoutMs = TIMEOUT_MS } = options
  if (token !== undefined && basic !== undefined) throw new TypeError('give a token or a password, not both')
  const base = `${options.url.replace(/\/+$/, '')}/api/v1`
  const ask = options.fetch ?? globalThis.fetch.bind(globalThis)
  const headers: Record<string, string> = { accept: 'application/json, */*;q=0.5' }
  if (token !== undefined) headers.authorization = `token ${token}`
  if (basic !== undefined) headers.authorization = basicOf(basic)

  async function send(id: OperationId, given: object, body?: unknown, { signal }: CallOptions = {}) {
    const late = AbortSignal.timeout(timeoutMs)
    const response = await ask(base + addressOf(id, given), {
      method: OPERATIONS[id].method,
      headers: { ...headers, ...(isJson(body) && { 'content-type': 'application/json' }) },
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      ...(body !== undefined && { body: isJson(body) ? JSON.stringify(body) : (body as Blob | FormData) }),
    })
    if (!response.ok) throw await refusalOf(id, response)
    const total = response.headers.get('x-total-count')
    const answer = await read(response, OPERATIONS[id].isBytes)
    return { answer, total: total === null ? undefined : Number(total) }
  }

  async function* pages(id: PagedId, given: { page?: number | string | undefined }, call?: CallOptions) {
    const first = Number(given.page ?? 1)
    for (let page = first, seen = 0; ; page++) {
      const { answer, total = Number.POSITIVE_INFINITY } = await send(id, { ...given, page }, undefined, call)
      const items = answer as readonly unknown[]
      if (items.length === 0) return
      yield items
      seen += items.length
      // The total counts the pages before `first` as well.
      if (first === 1 && seen >= total) return
    }
  }

  return {
    call: async (...words: Parameters<typeof send>) => (await send(...words)).answer,
    list: async (...words: Parameters<typeof send>) => {
      const { answer: items, total } = await send(...words)
      return { items, total }
    },
    pages,
  } as Client
}

function addressOf(id: OperationId, given: object): string {
  const { path, inPath, inQuery } = OPERATIONS[id]
  const values = given as Readonly<Record<string, unknown>>
  const place = path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    // Addresses have dots and nothing at all taken out of them, and would name another operation.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${id}: ${name} is '${value}'`)
    return encodeURIComponent(value)
  })
  const unknown = Object.keys(values).find((name) => !inPath.includes(name) && !inQuery.includes(name))
  if (unknown !== undefined) throw new TypeError(`${id} has no parameter ${unknown}`)
  const query = new URLSearchParams()
  for (const name of inQuery)
    for (const value of [values[name]].flat()) if (value !== undefined) query.append(name, String(value))
  return query.size === 0 ? place : `${place}?${query}`
}

function isJson(body: unknown): boolean {
  return body !== undefined && !(body instanceof Blob) && !(body instanceof FormData)
}

async function read(response: Response, isBytes: boolean): Promise<unknown> {
  if (isBytes) return response.blob()
  const text = await response.text()
  if (text === '') return undefined
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
}

async function refusalOf(id: OperationId, response: Response): Promise<ForgeError> {
  const text = await response.text()
  // 404 and 409 have no body: the reason is in a header.
  const reason = response.headers.get('message') ?? response.statusText
  let message = text.slice(0, MESSAGE_LENGTH_MAX) || reason
  try {
    message = (JSON.parse(text) as { message?: string }).message ?? message
  } catch {
    // The text itself is the message.
  }
  return new ForgeError(id, response.status, message, response.url)
}

function basicOf({ username, password }: { username: string; password: string }): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}
