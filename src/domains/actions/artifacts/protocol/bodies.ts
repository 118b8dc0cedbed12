/** Requests other than artifact bytes: small JSON bodies, read into memory. */
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '#platform/problem'
import type { RawAnswer } from '#platform/rest'

/** The object store needs the length in advance. */
export function lengthOf(headers: Readonly<IncomingHttpHeaders>): number {
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(length) || length < 0)
    throw new Problem('malformed', 'content-length is required')
  return length
}

/** Any JSON object; an empty body is an empty object. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Thrown below.
  }
  throw new Problem('malformed', 'body is not a JSON object')
}

export function json(status: number, value: object): RawAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
}
