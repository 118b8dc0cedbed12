/** The contract as TypeScript: for pages that call operations in this process, and for programs that call them over HTTP. */
import type { Json, JsonObject } from './schemas.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonObject }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema: JsonObject }> }>>
}

const HEAD = `/** Written by \`npm run contract\` from the routes; never by hand. */
`

/** The type names for bytes. */
interface BytesTypes {
  readonly sent: string
  readonly answered: string
}

const BYTES = 'application/octet-stream'

export function typescriptOf(document: JsonObject): string {
  const members = operationsOf(document).map(([, , it]) => `    ${it.operationId}: ${memberOf(it)}\n`)
  const declared = `declare module '#platform/page' {\n  interface Operations {\n${members.join('')}  }\n}\n`
  return `${HEAD}${recordsOf(document)}\n${declared}`
}

/** For HTTP clients: the same types, and the address of each operation. */
export function clientOf(document: JsonObject): string {
  const operations = operationsOf(document)
  const bytes = { sent: 'FormData | Blob', answered: 'Blob' }
  const members = operations.map(([, , it]) => `  ${it.operationId}: ${memberOf(it, bytes)}\n`)
  const rows = operations.map(([path, method, it]) => {
    const named = (place: string) =>
      JSON.stringify(it.parameters.filter((p) => p.in === place).map((p) => p.name))
    const isBytes = Object.values(it.responses).some(({ content }) => content?.[BYTES] !== undefined)
    const where = `method: '${method.toUpperCase()}', path: '${path}', inPath: ${named('path')}, inQuery: ${named('query')}`
    return `  ${it.operationId}: { ${where}, isBytes: ${isBytes} },\n`
  })
  const types = `${recordsOf(document)}\nexport interface Operations {\n${members.join('')}}\n`
  const row =
    'readonly method: string; readonly path: string; readonly inPath: readonly string[]; readonly inQuery: readonly string[]; readonly isBytes: boolean'
  const table = `export const OPERATIONS: { readonly [Id in keyof Operations]: { ${row} } } = {\n${rows.join('')}}\n`
  return `${HEAD}${types}\n${table}`
}

function recordsOf({ components }: JsonObject): string {
  const { schemas } = components as { schemas: Record<string, JsonObject> }
  return Object.entries(schemas)
    .map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`)
    .join('')
}

/** With path and method, sorted. */
function operationsOf({ paths }: JsonObject): (readonly [string, string, Operation])[] {
  return Object.entries(paths as unknown as Record<string, Record<string, Operation>>)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, it]) => [path, method, it] as const))
    .filter(([, , { operationId }]) => operationId !== undefined)
    .sort(([, , a], [, , b]) => (a.operationId < b.operationId ? -1 : 1))
}

/** Pages neither send nor receive bytes. */
function memberOf(
  { parameters, requestBody, responses }: Operation,
  bytes: BytesTypes = { sent: 'undefined', answered: 'unknown' },
): string {
  // Parameters of a page's own address are strings, parsed like those of the API.
  const given = parameters.map(({ name, in: place, schema }) => {
    const type = schema.type === 'integer' || schema.type === 'number' ? 'number | string' : typeOf(schema)
    return `${JSON.stringify(name)}${place === 'path' ? '' : '?'}: ${type}${place === 'path' ? '' : ' | undefined'}`
  })
  const json = requestBody?.content['application/json']?.schema
  const other = requestBody === undefined ? 'undefined' : bytes.sent
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answers = good.map(([, { content }]) => {
    if (content === undefined) return 'undefined'
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
    return type === 'application/json' ? typeOf(schema) : bytes.answered
  })
  const told = [...new Set(answers)].join(' | ') || 'undefined'
  return `{ given: { ${given.join('; ')} }; body: ${json === undefined ? other : typeOf(json)}; answer: ${told} }`
}

function typeOf(schema: Json): string {
  const { $ref, enum: choices, const: only, anyOf, type, ...shape } = (schema ?? {}) as JsonObject
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1)
  if (Array.isArray(choices)) return choices.map((it) => JSON.stringify(it)).join(' | ')
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ')
  if (Array.isArray(type)) return type.map((it) => typeOf({ ...shape, type: it })).join(' | ')
  if (type === 'array') return `readonly (${typeOf(shape.items)})[]`
  if (type === 'object') return objectType(shape)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  return 'unknown'
}

function objectType({ properties, required, patternProperties, additionalProperties }: JsonObject): string {
  const values = (patternProperties && Object.values(patternProperties)[0]) ?? additionalProperties
  if (properties === undefined)
    return `{ readonly [name: string]: ${typeof values === 'object' ? typeOf(values) : 'unknown'} }`
  const needed = new Set(Array.isArray(required) ? required : [])
  const fields = Object.entries(properties as JsonObject).map(([name, field]) =>
    needed.has(name)
      ? `readonly ${JSON.stringify(name)}: ${typeOf(field)}`
      : `readonly ${JSON.stringify(name)}?: ${typeOf(field)} | undefined`,
  )
  return `{ ${fields.join('; ')} }`
}
