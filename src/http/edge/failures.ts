/** Maps failures to HTTP answers: one table for all of them. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { databaseAway } from '#platform/db'
import { Problem, type ProblemKind } from '#platform/problem'
import { type RawRoute, type Route, STATUS } from '#platform/rest'

/** The problem that an answer with this status reports; undefined for an answer that refuses nothing. */
export function problemOfStatus(status: number): Problem | undefined {
  if (status < 400) return undefined
  const kind = (Object.keys(STATUS) as ProblemKind[]).find((it) => STATUS[it] === status)
  return new Problem(kind ?? (status < 500 ? 'malformed' : 'unavailable'), 'refused')
}

/** These have no body (D1): the reason is sent in headers. */
const EMPTY: ReadonlySet<ProblemKind> = new Set(['not_found', 'conflict'])
/** Default Retry-After of an unavailable answer. */
const RETRY_AFTER_S = 5
export const JSON_TYPE = 'application/json;charset=utf-8'

export function sendFailure(
  reply: FastifyReply,
  error: unknown,
  log: FastifyBaseLogger,
  docsUrl: string,
  tell?: RawRoute['tellFailure'],
): FastifyReply {
  const problem = databaseAway(error) ?? asProblem(error)
  if (problem === undefined && isUnheard(reply, error)) {
    log.info({ err: error }, 'client gone before the answer began')
    return reply
  }
  logFailure(reply, error, log)
  if (problem === undefined) {
    return sendText(reply, 500, 'internal server error', docsUrl)
  }
  reply.headers(waitOf(problem))
  if (problem.kind === 'moved') return sendMoved(reply, problem, docsUrl)
  const told = tell?.(problem)
  if (told !== undefined) return reply.code(STATUS[problem.kind]).headers(told.headers).send(told.body)
  const { status, headers, body } = refusalOf(problem, docsUrl)
  reply.code(status).headers(headers)
  return body === undefined ? reply.send() : sendBody(reply, body)
}

/** Where operators ask whether the node is ready; a node that is not says so with 503. */
const READINESS = '/readyz'

/** Logs the cause of a 5xx; other refusals concern only the client. */
export function logFailure(reply: FastifyReply, error: unknown, log: FastifyBaseLogger): void {
  const problem = asProblem(error)
  if (databaseAway(error) !== undefined) log.error({ err: error }, 'database unavailable')
  else if (problem === undefined) log.error({ err: error }, 'internal server error')
  else if (problem.kind === 'unavailable' && reply.request.routeOptions.url !== READINESS) {
    const { failure, store } = problem.details
    // Without a cause the node is only busy, and recovers by itself.
    if (problem.cause === undefined) log.warn({ err: problem }, 'request refused: unavailable')
    else
      log.error(
        { err: problem, 'store.failure': failure, 'store.address': store },
        'request failed: unavailable',
      )
  }
}

/** The answer to a problem, as clients get it and as the documents show it. */
export interface RefusalAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RefusalBody
}

/** A type and not an interface, so that it is assignable to JSON. */
type RefusalBody = { readonly message: string; readonly url: string }

export function refusalOf(problem: Problem, docsUrl: string): RefusalAnswer {
  const status = STATUS[problem.kind]
  const headers = waitOf(problem)
  if (!EMPTY.has(problem.kind)) return { status, headers, body: { message: problem.message, url: docsUrl } }
  return { status, headers: { ...headers, message: headerText(problem.message), url: docsUrl } }
}

/** The same problem, mapped to a kind that the specification lists for the operation. */
export function listedProblem({ problemsAs }: Pick<Route, 'problemsAs'>, problem: Problem): Problem {
  const kind = problemsAs?.[problem.kind]
  return kind === undefined ? problem : new Problem(kind, problem.message, problem.details)
}

export function waitOf({ kind, details }: Problem): Record<string, string> {
  const seconds = details.retryAfterS ?? (kind === 'unavailable' ? RETRY_AFTER_S : undefined)
  return typeof seconds === 'number' ? { 'retry-after': String(seconds) } : {}
}

/** Fastify ends the stream of an answer whose client has disconnected, and reports that end as a failure of the stream. */
function isUnheard(reply: FastifyReply, error: unknown): boolean {
  return reply.raw.destroyed && (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function sendText(reply: FastifyReply, status: number, message: string, url: string): FastifyReply {
  return sendBody(reply.code(status), { message, url })
}

function sendBody(reply: FastifyReply, body: RefusalBody): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(JSON.stringify(body))
}

/** The answer to an address that the router rejected; the address is not repeated. */
export function sendUnrouted(
  reply: FastifyReply,
  { statusCode }: { statusCode?: number },
  url: string,
): void {
  if (statusCode === 414) sendText(reply, 414, 'address is too long', url)
  else sendText(reply, 400, 'address cannot be read', url)
}

/** Errors of the server framework are errors of the client's request: too large, too slow, not HTTP. */
function asProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  const { statusCode, message } = error as { statusCode?: number; message: string }
  if (statusCode === 413) return new Problem('too_large', 'request body is too large')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Problem('malformed', message)
  return undefined
}

/** A header holds printable ASCII only; a message may quote anything. */
function headerText(message: string): string {
  return message.replace(/[^\x20-\x7e]/g, '?').slice(0, 500)
}

/** A client repeats a read as GET at the new address; any other method must keep its method and body (D44). */
const MOVED = {
  forGood: { reading: 301, other: 308 },
  forNow: { reading: STATUS.moved, other: 307 },
} as const
const READING = new Set(['GET', 'HEAD'])
const GIT_ENDING = /(?:\.wiki)?(?:\.git)?$/

export function redirectOf(
  { message, details }: Problem,
  { method, url }: { readonly method: string; readonly url: string },
  docsUrl: string,
): RefusalAnswer & { readonly headers: { readonly location: string } } {
  const status = MOVED[details.isForGood ? 'forGood' : 'forNow'][READING.has(method) ? 'reading' : 'other']
  return { status, headers: { location: newAddress(url, details), message, url: docsUrl } }
}

/** Compat: the answer to a GET has an HTML page that links to the new address. */
function sendMoved(reply: FastifyReply, problem: Problem, docsUrl: string): FastifyReply {
  const { status, headers } = redirectOf(problem, reply.request, docsUrl)
  reply.code(status).headers(headers)
  if (reply.request.method !== 'GET') return reply.send()
  const link = headers.location.replaceAll('&', '&amp;').replaceAll('"', '&#34;').replaceAll('<', '&lt;')
  const page = `<a href="${link}">${problem.details.isForGood ? 'Moved Permanently' : 'Found'}</a>.\n\n`
  return reply.header('content-type', 'text/html; charset=utf-8').send(page)
}

/**
 * Invariant: one leading slash and no host. After two slashes, or a backslash that browsers take for one, the new name of
 * an owner would be read as a host. The router also accepts absolute addresses.
 */
const BEFORE_PATH = /^(?:https?:\/\/[^/\\?]*)?[/\\]*/i

/** The same address with the new name in place of the old one: of an owner, or of a repository with its owner. */
export function newAddress(url: string, details: Record<string, unknown>): string {
  const [path = '', query] = url.replace(BEFORE_PATH, '/').split('?', 2)
  const from = String(details.from).toLowerCase().split('/')
  const to = String(details.to).split('/').map(encodeURIComponent)
  const segments = path.split('/')
  const names = segments.map((it) => decodeURIComponent(it).toLowerCase())
  const place = names.findIndex((_, i) => from.every((name, n) => isNamed(names[i + n], name)))
  // Git appends a suffix to the name of a repository or its wiki, which is kept.
  const ending = from.length > 1 ? (names[place + 1] ?? '').slice(from[1]?.length) : ''
  if (place >= 0) segments.splice(place, from.length, ...to.with(-1, `${to.at(-1)}${ending}`))
  return segments.join('/') + (query === undefined ? '' : `?${query}`)
}

function isNamed(segment: string | undefined, name: string): boolean {
  return segment?.replace(GIT_ENDING, '') === name || segment === name
}
