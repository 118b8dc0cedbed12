/** The contract as TypeScript: what pages are given when they ask an operation in this process. */
import type { Json, JsonObject } from './schemas.ts'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonObject }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonObject }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { schema: JsonObject }> }>>
}

const HEAD = `/** Written by \`npm run contract\` from the routes; never by hand. */
`

export function typescriptOf(document: JsonObject): string {
  const { components, paths } = document as { components: JsonObject; paths: JsonObject }
  const records = Object.entries(components.schemas as Record<string, JsonObject>).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`,
  )
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods as unknown as Record<string, Operation>),
  )
  const members = operations
    .filter(({ operationId }) => operationId !== undefined)
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1))
    .map((it) => `    ${it.operationId}: ${memberOf(it)}\n`)
  const declared = `declare module '#platform/page' {\n  interface Operations {\n${members.join('')}  }\n}\n`
  return `${HEAD}${records.join('')}\n${declared}`
}

function memberOf({ parameters, requestBody, responses }: Operation): string {
  // A page has the parameters of its own address as texts; they are read as those of the interface are.
  const given = parameters.map(({ name, in: place, schema }) => {
    const type = schema.type === 'integer' || schema.type === 'number' ? 'number | string' : typeOf(schema)
    return `${JSON.stringify(name)}${place === 'path' ? '' : '?'}: ${type}${place === 'path' ? '' : ' | undefined'}`
  })
  const body = requestBody?.content['application/json']?.schema
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answers = good.map(([, { content }]) => {
    if (content === undefined) return 'undefined'
    const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(content)
    return type === 'application/json' ? typeOf(schema) : 'unknown'
  })
  const told = [...new Set(answers)].join(' | ') || 'undefined'
  return `{ given: { ${given.join('; ')} }; body: ${body === undefined ? 'undefined' : typeOf(body)}; answer: ${told} }`
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
