/** Requests to sources: by the guarded client, and to private addresses only of hosts that the operator allows. */
import type { Context } from '#platform/context'
import { type OutboundClient, openOutbound } from '#platform/outbound'

const ANSWER_BYTES_MAX = 256 * 1024

export function outboundTo(ctx: Context, host: string): OutboundClient {
  const allowedHosts = ctx.config['sources.private_hosts']
  if (!allowedHosts.includes(host)) return ctx.outbound
  const timeoutMs = ctx.config['sources.timeout_ms']
  return openOutbound({
    allowPrivate: true,
    allowedHosts: [host],
    timeoutMs,
    connectTimeoutMs: timeoutMs,
    answerBytesMax: ANSWER_BYTES_MAX,
    redirectsMax: 0,
  })
}

/** `fetch` for libraries. Redirects are answers: an endpoint that redirects is not the one that was discovered. */
export async function guardedFetch(
  ctx: Context,
  address: string,
  init: {
    readonly method?: string
    readonly headers?: Record<string, string>
    readonly body?: unknown
    readonly signal?: AbortSignal | undefined
  },
): Promise<Response> {
  const { status, headers, body } = await outboundTo(ctx, new URL(address).hostname).request({
    method: init.method ?? 'GET',
    url: address,
    headers: init.headers ?? {},
    ...(init.body !== undefined && init.body !== null && { body: String(init.body) }),
    ...(init.signal && { signal: init.signal }),
    timeoutMs: ctx.config['sources.timeout_ms'],
    answerBytesMax: ANSWER_BYTES_MAX,
    redirectsMax: 0,
  })
  const type = headers['content-type']
  return new Response(BODYLESS.has(status) ? null : new Uint8Array(body), {
    status,
    headers: typeof type === 'string' ? { 'content-type': type } : {},
  })
}

const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304])
