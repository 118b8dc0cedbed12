/** Reads requests: bodies, parameters of queries, versions. */
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { parseJson } from '#platform/json'
import { Problem } from '#platform/problem'
import { BODY_BYTES_MAX, BODY_VALUES_MAX, PAGE_MAX } from './names.ts'
import { badRequest } from './problems.ts'

export type Json = Readonly<Record<string, unknown>>

const NAMES_MAX = 50
/** Ids of users and groups. */
export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
const text = Type.Optional(Type.String())

/** `sortOrder` and numbers are read leniently, as RFC 7644 demands. */
export const ListParams = Type.Object({
  filter: text,
  startIndex: text,
  count: text,
  sortBy: text,
  sortOrder: text,
  attributes: text,
  excludedAttributes: text,
})
export const ShownParams = Type.Object({ attributes: text, excludedAttributes: text })

export interface ListWish {
  readonly filter: string | undefined
  readonly startIndex: number
  readonly count: number
  readonly sortBy: string | undefined
  readonly isDescending: boolean
  readonly shown: Shown
}

/** Which attributes an answer contains. */
export interface Shown {
  readonly only: readonly string[] | undefined
  readonly without: readonly string[]
}

type Params = Readonly<Partial<Record<keyof typeof ListParams.properties, string>>>

export function wishOf(params: Params): ListWish {
  return {
    filter: params.filter,
    // Values below the minimum count as the minimum (RFC 7644, section 3.4.2.4).
    startIndex: Math.max(1, integerOf('startIndex', params.startIndex, 1)),
    count: Math.min(PAGE_MAX, Math.max(0, integerOf('count', params.count, PAGE_MAX))),
    sortBy: params.sortBy,
    isDescending: params.sortOrder?.toLowerCase() === 'descending',
    shown: shownOf(params),
  }
}

export function shownOf(params: Pick<Params, 'attributes' | 'excludedAttributes'>): Shown {
  const only = namesOf(params.attributes)
  return { only: only.length === 0 ? undefined : only, without: namesOf(params.excludedAttributes) }
}

/** The parameters of `.search`, which come as JSON. */
export function paramsOfSearch(body: Json): Params {
  const names = (value: unknown) => (Array.isArray(value) ? value.join(',') : value)
  const params = {
    ...body,
    attributes: names(body.attributes),
    excludedAttributes: names(body.excludedAttributes),
  }
  const entries = Object.entries(params).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

export function readJson(body: Buffer): Json {
  if (body.length > BODY_BYTES_MAX)
    throw new Problem('too_large', 'request body is too large', { bytesMax: BODY_BYTES_MAX })
  let value: unknown
  try {
    value = parseJson(body, BODY_VALUES_MAX)
  } catch {
    throw badRequest('invalidSyntax', 'request body is not valid JSON, or has too many values')
  }
  if (!isObject(value)) throw badRequest('invalidSyntax', 'request body is not an object')
  return value
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function etagOf({ version }: { readonly version: number }): string {
  return `W/"${version}"`
}

/** Refuses a change of another version than the one that the client has read. */
export function assertVersion(headers: IncomingHttpHeaders, row: { readonly version: number }): void {
  const wanted = headers['if-match']
  if (wanted !== undefined && !matchesTag(wanted, row))
    throw new Problem('precondition', 'resource was changed since it was read')
}

export function matchesTag(header: string, row: { readonly version: number }): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etagOf(row)))
}

function integerOf(name: string, value: string | undefined, absent: number): number {
  if (value === undefined || value === '') return absent
  if (!/^-?\d{1,9}$/.test(value)) throw badRequest('invalidValue', `${name} is not a number`)
  return Number(value)
}

function namesOf(value: string | undefined): string[] {
  const names = (value ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '')
  if (names.length > NAMES_MAX) throw badRequest('invalidValue', 'too many attributes')
  return names
}
