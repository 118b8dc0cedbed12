/** Results of checks: true, or how the forge deviates. */
import { isDeepStrictEqual } from 'node:util'
import type { Answer, Json } from './client.ts'

export type Verdict = boolean | string | undefined

const SHOWN_CHARACTERS_MAX = 300
const WITH_MESSAGE = [400, 401, 403, 413, 414, 422, 423]

/** The first verdict that is a fault. */
export function allOf(...verdicts: readonly Verdict[]): Verdict {
  return verdicts.find((it) => it !== true && it !== undefined) ?? true
}

/** Checks one thing after the other; returns the first fault. */
export async function each<T>(things: Iterable<T>, check: (thing: T) => Promise<Verdict>): Promise<Verdict> {
  for (const thing of things) {
    const verdict = await check(thing)
    if (verdict !== true && verdict !== undefined) return `${shown(thing)}: ${verdict}`
  }
  return true
}

export function hasStatus(answer: Answer, ...statuses: readonly number[]): Verdict {
  return statuses.includes(answer.status) || `wanted ${statuses.join(' or ')}, got ${answer.status}`
}

export function equals(got: Json, wanted: Json, what = ''): Verdict {
  return isDeepStrictEqual(got, wanted) || `${what} wanted ${shown(wanted)}, got ${shown(got)}`
}

export function holds(condition: unknown, otherwise: string): Verdict {
  return condition ? true : otherwise
}

/** The specification's chapter on errors: which statuses have a body, and which fields it has. */
export function hasErrorShape({ status, headers, text, json }: Answer): Verdict {
  if (status >= 500) return `server error ${status}: ${text.slice(0, SHOWN_CHARACTERS_MAX)}`
  if (status === 404 || status === 409) return text === '' || `${status} has a body: ${text.slice(0, 100)}`
  if (!WITH_MESSAGE.includes(status)) return true
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('application/json')) return `${status} has the content type ${type}`
  if (typeof json?.message !== 'string') return `${status} has no message: ${text.slice(0, 100)}`
  return typeof json.url === 'string' || `${status} has no url: ${text.slice(0, 100)}`
}

/** A client error, refused in the shape that the specification defines. */
export function isRefused(answer: Answer): Verdict {
  const { status } = answer
  return allOf(holds(status >= 400 && status < 500, `answered ${status}`), hasErrorShape(answer))
}

export function isJson({ headers }: Answer): Verdict {
  const type = headers['content-type'] ?? ''
  return type.startsWith('application/json') || `the content type is ${type}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.slice(0, SHOWN_CHARACTERS_MAX)
}
