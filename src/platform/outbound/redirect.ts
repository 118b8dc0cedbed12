/** The next request after a redirect. Pure: a request and an answer in, the next request out. */
import type { Readable } from 'node:stream'

export interface Hop {
  readonly method: string
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Readable | null
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const SECRET_HEADER = /auth|cookie|token|secret|password|credential|api-?key|session/
const BODY_HEADER = /^content-/

/** The redirect target, or undefined when the answer is no redirect or has no usable location. */
export function redirectOf(hop: Hop, status: number, location: unknown): URL | undefined {
  if (!REDIRECTS.has(status) || typeof location !== 'string') return undefined
  return URL.parse(location, hop.url) ?? undefined
}

export function nextHop(hop: Hop, status: number, url: URL): Hop {
  const moved = { ...hop, url, headers: headersFor(hop, url) }
  return becomesGet(hop.method, status) ? withoutBody(moved) : moved
}

/** Secret headers are sent only to their original origin. Once dropped they are not restored. */
function headersFor(hop: Hop, url: URL): Hop['headers'] {
  if (url.origin === hop.url.origin) return hop.headers
  return without(hop.headers, SECRET_HEADER)
}

/** As browsers do: 303 always becomes GET, 301 and 302 do so after a POST. */
function becomesGet(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

function withoutBody(hop: Hop): Hop {
  return { ...hop, method: 'GET', headers: without(hop.headers, BODY_HEADER), body: null }
}

function without(headers: Hop['headers'], pattern: RegExp): Hop['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)))
}
