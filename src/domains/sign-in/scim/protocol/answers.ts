/** Answers of SCIM: resources, lists, and the attributes that a client wants to see. */
import type { RawAnswer } from '#platform/rest'
import { GROUP, LIST, SCIM_TYPE, USER } from './names.ts'
import type { Json, Shown } from './requests.ts'

/** Contained in every answer. */
const ALWAYS = new Set(['schemas', 'id'])

export function resource(
  body: Json,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): RawAnswer {
  return {
    status,
    headers: { 'content-type': SCIM_TYPE, 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  }
}

export function nothing(status = 204, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return { status, headers, body: undefined }
}

export function listOf(items: readonly Json[], total: number, startIndex: number): RawAnswer {
  return resource({
    schemas: [LIST],
    totalResults: total,
    startIndex,
    itemsPerPage: items.length,
    Resources: items,
  })
}

/** Names may be those of attributes or of sub-attributes, and begin with the URN of their schema. */
export function show(body: Json, { only, without }: Shown): Json {
  if (only === undefined && without.length === 0) return body
  const wanted = only?.map(pathOf)
  const unwanted = without.map(pathOf)
  const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    if (ALWAYS.has(name)) return [[name, value]]
    const parts = wanted?.filter(([first]) => first === name.toLowerCase())
    if (parts?.length === 0) return []
    const isWhole = parts === undefined || parts.some(([, sub]) => sub === undefined)
    const kept = isWhole ? value : pick(value, (sub) => parts.some(([, it]) => it === sub))
    const cut = unwanted.filter(([first]) => first === name.toLowerCase())
    if (cut.some(([, sub]) => sub === undefined)) return []
    return [[name, cut.length === 0 ? kept : pick(kept, (sub) => !cut.some(([, it]) => it === sub))]]
  })
  return Object.fromEntries(entries)
}

function pick(value: unknown, isKept: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, isKept))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name.toLowerCase())))
}

function pathOf(name: string): [string, string | undefined] {
  const [first = '', sub] = withoutUrn(name).toLowerCase().split('.')
  return [first, sub]
}

/** `urn:…:User:name.familyName` is `name.familyName`. */
export function withoutUrn(name: string): string {
  for (const urn of [USER, GROUP])
    if (name.toLowerCase().startsWith(`${urn.toLowerCase()}:`)) return name.slice(urn.length + 1)
  return name
}

/** Whether answers contain the attribute, so that it must be loaded. */
export function shows(name: string, { only, without }: Shown): boolean {
  const isNamed = (list: readonly string[]) => list.some((it) => pathOf(it)[0] === name)
  return (
    (only === undefined || isNamed(only)) && !without.map(withoutUrn).some((it) => it.toLowerCase() === name)
  )
}
