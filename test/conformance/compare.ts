/**
 * Compares an exchange with its recording: the status, the paging headers, the content type, and every field of the body.
 * Not compared: error messages, fields that the forge adds, `[]` where the reference sends `null` (D17), `null` where it
 * sends year 1 or 1970 (D16), the time of a mirror's first sync where it sends none (D52), the counters of a project
 * inside an issue where it sends 0 (D50), and the bodies of 404 and 409 (D1).
 */
export interface Expectation {
  /** A decision (docs/decisions.md) by which the forge answers differently from the reference. */
  readonly decision?: string
  /** The status that the decision requires. */
  readonly status?: number
  /** Recorded statuses and what the decision requires in their place, for steps that share an expectation. */
  readonly instead?: Readonly<Record<number, number>>
  /** Compare only the status: the scenario itself checks the body, or the body differs every time. */
  readonly statusOnly?: boolean
  /** The elements of the list (or of `data`, `workflow_runs`…) may come in any order. */
  readonly unordered?: boolean
  /** Paths of fields that are not compared; a name alone matches at any depth, and also a header (in lower case). */
  readonly ignore?: readonly string[]
  /** The call only prepares the stage: it is made, but not compared. */
  readonly stage?: boolean
}

export interface Recorded {
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Difference {
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}

type Fields = Readonly<Record<string, unknown>>

const SHOWN_MAX = 200
/** These answer with the list that the reference puts into an object (D9). */
const PLAIN_LISTS = /: GET \/admin\/actions\/(?:jobs|runners|runs)(?:\?|$)/
const COUNTERS_IN_ISSUE = /(?:^|\.)projects\[\d+\]\.num_(?:open_|closed_)?issues$/
const IS_READING = /: (?:GET|HEAD) /

export function compare(
  recorded: Recorded | undefined,
  seen: Recorded,
  expectation: Expectation,
): Difference[] {
  if (recorded === undefined) return [{ path: 'recording', expected: 'a recorded step', actual: 'none' }]
  const wanted = expectation.status ?? expectation.instead?.[recorded.status] ?? decidedStatus(recorded)
  const status = listedStatus(recorded.request, wanted)
  if (seen.status !== status) {
    const shown = JSON.stringify(seen.body)?.slice(0, SHOWN_MAX)
    return [{ path: 'status', expected: status, actual: `${seen.status} ${shown}` }]
  }
  // A decided refusal has its own body.
  const isSameKind = status < 300 && Math.floor(recorded.status / 100) === 2
  const isBodyHeld = (status === recorded.status || isSameKind) && status !== 404 && status !== 409
  if (expectation.statusOnly || !isBodyHeld) return []
  if (status >= 400) return compareProblems(recorded.body, seen.body)
  const ignored = new Set([...(expectation.ignore ?? []), 'avatar_url'])
  const arrange = expectation.unordered ? sort : (body: unknown) => body
  return [
    ...compareHeaders(recorded.headers, seen.headers, ignored),
    ...compareValues('', arrange(decidedBody(recorded)), arrange(seen.body), ignored),
  ]
}

/** The status that a decision requires in place of a recorded one, wherever the reference sends it. */
function decidedStatus({ request, status }: Recorded): number {
  if (status === 205) return 200 // D12
  if (status === 301 && !IS_READING.test(request)) return 308 // D44
  if (status === 307 && IS_READING.test(request)) return 302 // D44
  return status
}

/** Operations for which the specification lists other refusals than the reference sends (D37). */
const LISTED: readonly { readonly request: RegExp; readonly instead: Readonly<Record<number, number>> }[] = [
  { request: /: PATCH \/repos\/[^/]+\/[^/]+\/issues\/[^/]+$/, instead: { 412: 400, 422: 400 } },
  { request: /: POST \/repos\/[^/]+\/[^/]+\/issues\/[^/]+\/times$/, instead: { 422: 400 } },
  { request: /: POST \/orgs\/[^/]+\/repos$/, instead: { 422: 400 } },
  { request: /: GET \/admin\/actions\/(?:runners|runs)(?:\?|$)/, instead: { 422: 400 } },
  { request: /: PATCH \/repos\/[^/]+\/[^/]+\/pulls\/[^/]+$/, instead: { 412: 422 } },
]

function listedStatus(request: string, status: number): number {
  return LISTED.find((it) => it.request.test(request))?.instead[status] ?? status
}

function decidedBody({ request, body }: Recorded): unknown {
  if (!PLAIN_LISTS.test(request) || !isFields(body)) return body
  return Object.values(body).find(Array.isArray) ?? []
}

function compareHeaders(
  expected: Recorded['headers'],
  actual: Recorded['headers'],
  ignored: ReadonlySet<string>,
): Difference[] {
  return Object.entries(expected)
    .filter(([name, value]) => !ignored.has(name) && actual[name] !== value)
    .map(([name, value]) => ({ path: `header ${name}`, expected: value, actual: actual[name] }))
}

/** `message` and `url` must be present; their text is ours. */
function compareProblems(expected: unknown, actual: unknown): Difference[] {
  if (!isFields(expected)) return []
  const { message, url } = isFields(actual) ? actual : {}
  const differences: Difference[] = []
  if (typeof message !== 'string' || message === '')
    differences.push({ path: 'message', expected: 'a text', actual: message })
  if ('url' in expected && typeof url !== 'string')
    differences.push({ path: 'url', expected: 'a text', actual: url })
  return differences
}

function compareValues(
  path: string,
  expected: unknown,
  actual: unknown,
  ignored: ReadonlySet<string>,
): Difference[] {
  if (isIgnored(path, ignored) || isDecided(path, expected, actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      return [{ path: `${path}.length`, expected: expected.length, actual: actual.length }]
    return expected.flatMap((item, i) => compareValues(`${path}[${i}]`, item, actual[i], ignored))
  }
  if (isFields(expected) && isFields(actual)) return compareFields(path, expected, actual, ignored)
  return Object.is(expected, actual) ? [] : [{ path, expected, actual }]
}

/** Whether a decision requires `actual` wherever the reference sends `expected`. */
function isDecided(path: string, expected: unknown, actual: unknown): boolean {
  if (expected === null) return Array.isArray(actual) && actual.length === 0
  if (expected === '<zero-time>')
    return actual === null || (path.endsWith('mirror_last_sync_at') && actual === '<time>')
  return expected === 0 && COUNTERS_IN_ISSUE.test(path) && typeof actual === 'number'
}

function compareFields(
  path: string,
  expected: Fields,
  actual: Fields,
  ignored: ReadonlySet<string>,
): Difference[] {
  return Object.entries(expected).flatMap(([key, value]) => {
    const below = path === '' ? key : `${path}.${key}`
    if (key in actual) return compareValues(below, value, actual[key], ignored)
    const isMissed = value !== null && !isIgnored(below, ignored)
    return isMissed ? [{ path: below, expected: value, actual: 'missing' }] : []
  })
}

function isIgnored(path: string, ignored: ReadonlySet<string>): boolean {
  const plain = path.replace(/\[\d+\]\.?/g, '').replace(/^\./, '')
  const name = (path.split('.').at(-1) ?? '').replace(/\[\d+\]/g, '')
  return ignored.has(plain) || ignored.has(path) || ignored.has(name)
}

function sort(body: unknown): unknown {
  if (Array.isArray(body)) return [...body].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (!isFields(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, Array.isArray(value) ? sort(value) : value]),
  )
}

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
