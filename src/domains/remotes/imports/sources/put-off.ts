/** When a source wants to be asked later, or fails for a moment. The job that imports is put off; it never sleeps. */
import type { OutboundAnswer } from '#platform/outbound'
import type { Problem } from '#platform/problem'

/** Thrown to end an attempt without failing the import. */
export class PutOff extends Error {
  override name = 'PutOff'
  readonly waitMs: number
  /** What the import fails with if the source does not recover; undefined at a limit, which always passes. */
  readonly fault: Problem | undefined

  constructor(waitMs: number, fault?: Problem) {
    super('the source wants to be asked later')
    this.waitMs = waitMs
    this.fault = fault
  }
}

type Answer = Pick<OutboundAnswer, 'status' | 'headers' | 'body'>

const TOO_MANY = 429
const FORBIDDEN = 403
/** GitHub wants a minute if a limit says no time. */
const WAIT_DEFAULT_MS = 60_000
/** A source that wants to be asked at once would be asked without end. */
const WAIT_MIN_MS = 5_000
const WAIT_MAX_MS = 24 * 3_600_000
/** Larger numbers are seconds since 1970, smaller ones seconds from now. */
const EPOCH_MIN_S = 1_000_000_000
const BODY_READ_MAX = 2_048

/** How long to wait because of this answer; undefined if no limit refused it. */
export function limitOf(answer: Answer, now: Date): number | undefined {
  return isLimit(answer) ? waitOf(answer, now) : undefined
}

/** How long the credentials cannot be used after this answer, though it was given; undefined if they can. */
export function usedUpOf(answer: Answer, now: Date): number | undefined {
  return remainingOf(answer) === 0 ? waitOf(answer, now) : undefined
}

function isLimit(answer: Answer): boolean {
  if (answer.status === TOO_MANY) return true
  if (answer.status !== FORBIDDEN) return false
  const saysSo = () => /rate limit|abuse detection/i.test(answer.body.toString('utf8', 0, BODY_READ_MAX))
  return remainingOf(answer) === 0 || headerOf(answer, 'retry-after') !== undefined || saysSo()
}

/** `X-RateLimit-*` is GitHub's, `RateLimit-*` GitLab's. */
function remainingOf(answer: Answer): number | undefined {
  const told = headerOf(answer, 'x-ratelimit-remaining') ?? headerOf(answer, 'ratelimit-remaining')
  return told !== undefined && /^\d{1,9}$/.test(told) ? Number(told) : undefined
}

function waitOf(answer: Answer, now: Date): number {
  const reset = headerOf(answer, 'x-ratelimit-reset') ?? headerOf(answer, 'ratelimit-reset')
  const wait = waitUntil(headerOf(answer, 'retry-after'), answer, now) ?? waitUntil(reset, answer, now)
  return Math.min(Math.max(wait ?? WAIT_DEFAULT_MS, WAIT_MIN_MS), WAIT_MAX_MS)
}

/** Seconds from now, seconds since 1970, or a date. Compared with the clock of the source, if it tells it. */
function waitUntil(told: string | undefined, answer: Answer, now: Date): number | undefined {
  if (told === undefined) return undefined
  const theirs = Date.parse(headerOf(answer, 'date') ?? '')
  const from = Number.isNaN(theirs) ? now.getTime() : theirs
  if (/^\d{1,12}$/.test(told)) {
    const seconds = Number(told)
    return seconds < EPOCH_MIN_S ? seconds * 1_000 : seconds * 1_000 - from
  }
  const date = Date.parse(told)
  return Number.isNaN(date) ? undefined : date - from
}

function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value)?.trim()
}
