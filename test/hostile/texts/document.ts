/** The string parameters and fields of every operation in our OpenAPI document, and a body with the required fields. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly schema: Schema
}

interface Documented {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The place of a string in a body: field names, 0 for the element of a list. */
export type Place = readonly (string | 0)[]

export interface Operation {
  readonly id: string
  readonly method: string
  /** With parameter names in braces. */
  readonly path: string
  readonly pathStrings: readonly string[]
  readonly queryStrings: readonly string[]
  readonly bodyStrings: readonly Place[]
  /** Undefined where the body is not JSON. */
  readonly body: Schema | undefined
}

const FILE = join(import.meta.dirname, '../../../contract/openapi.json')
const DEPTH_MAX = 5
/** Maps are those of hooks and of the units of teams. */
const MAP_KEYS = ['url', 'secret', 'key']
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document

export function listOperations(): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, it]) => {
      const strings = (where: Parameter['in']) =>
        (it.parameters ?? []).filter((one) => one.in === where && isText(one.schema)).map(({ name }) => name)
      const body = it.requestBody?.content['application/json']?.schema
      return {
        id: it.operationId,
        method: method.toUpperCase(),
        path,
        pathStrings: strings('path'),
        queryStrings: strings('query'),
        bodyStrings: body === undefined ? [] : listStrings(body, []),
        body,
      }
    }),
  )
}

function isText(schema: Schema): boolean {
  const { type, items } = resolve(schema)
  return type === 'string' || (type === 'array' && resolve(items ?? {}).type === 'string')
}

function listStrings(schema: Schema, place: Place): Place[] {
  const { type, format, anyOf, items, properties, patternProperties } = resolve(schema)
  if (place.length > DEPTH_MAX || format === 'binary') return []
  const [values] = Object.values(patternProperties ?? {})
  return [
    ...(type === 'string' ? [place] : []),
    ...(anyOf?.flatMap((it) => listStrings(it, place)).slice(0, 1) ?? []),
    ...(items === undefined ? [] : listStrings(items, [...place, 0])),
    ...(values === undefined ? [] : MAP_KEYS.flatMap((key) => listStrings(values, [...place, key]))),
    ...Object.entries(properties ?? {}).flatMap(([name, it]) => listStrings(it, [...place, name])),
  ]
}

/** A body with the required fields, and those on the way to `place`. `name` makes a text for a field. */
export function sample(
  schema: Schema,
  name: (field: string) => unknown,
  place: Place = [],
  field = '',
): unknown {
  const { type, enum: words, const: word, anyOf, items, required = [], properties = {} } = resolve(schema)
  const [next, ...rest] = place
  if (words !== undefined || word !== undefined) return words?.[0] ?? word
  if (anyOf !== undefined) return sample(anyOf[0] ?? {}, name, place, field)
  if (type === 'array') return [sample(items ?? {}, name, rest, field)]
  if (type === 'string' || type === 'integer') return name(field) ?? (type === 'string' ? 'text' : 1)
  if (type === 'boolean') return false
  if (Object.keys(properties).length === 0) return name(field) ?? {}
  const fields = Object.keys(properties).filter((it) => required.includes(it) || it === next)
  return Object.fromEntries(
    fields.map((it) => [it, sample(properties[it] ?? {}, name, it === next ? rest : [], it)]),
  )
}

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : resolve(document.components.schemas[name] ?? {})
}
