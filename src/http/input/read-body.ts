/** Parses a body and validates it against its schema. Runs after access was checked: the body is judged last. */
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { parseJson, TooManyValues } from '#platform/json'
import { invalid } from '#platform/problem'
import { readValue } from './read-query.ts'
import { readUrlEncoded } from './read-urlencoded.ts'

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

const DEPTH_MAX = 32
const VALUES_MAX = 500_000
const compiled = new WeakMap<TSchema, Validator>()

export function readBody(
  schema: TSchema | undefined,
  contentType: string | undefined,
  raw: unknown,
): unknown {
  if (schema === undefined) return {}
  const body = parse(schema, contentType ?? '', Buffer.isBuffer(raw) ? raw : Buffer.alloc(0))
  const value = prune(schema as Shape, body, 0)
  const validator = validatorOf(schema)
  if (!validator.Check(value)) throw invalid(explain(validator, value))
  return value
}

/** Compiled on first use: there are many routes, and most are rarely called. */
export function validatorOf(schema: TSchema): Validator {
  let validator = compiled.get(schema)
  if (validator === undefined) {
    validator = Compile(schema)
    compiled.set(schema, validator)
  }
  return validator
}

function parse(schema: TSchema, contentType: string, raw: Buffer): unknown {
  // Clients send DELETE and POST with a content type and an empty body.
  if (raw.length === 0) return {}
  if (contentType.includes('form-urlencoded')) return parseForm(schema, raw)
  if (!contentType.includes('json')) throw invalid('unsupported content type', { contentType })
  try {
    return parseJson(raw, VALUES_MAX)
  } catch (error) {
    throw invalid(error instanceof TooManyValues ? 'body has too many values' : 'body is not valid JSON')
  }
}

function parseForm(schema: TSchema, raw: Buffer): Record<string, unknown> {
  const form = readUrlEncoded(raw)
  const fields = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (!form.has(name)) continue
    values[name] = field.type === 'array' ? form.getAll(name) : readValue(field, form.get(name) ?? '')
  }
  return values
}

/** Drops null (not given) and unknown fields, and refuses values that no column could store. */
function prune(shape: Shape | undefined, value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw invalid('body is nested too deeply')
  if (typeof value === 'string') return readText(value)
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw invalid('number is out of range')
  if (Array.isArray(value)) return value.map((item) => prune(shape?.items, item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const names = shape?.properties === undefined ? Object.keys(value) : Object.keys(shape.properties)
  const kept: Record<string, unknown> = {}
  for (const name of names) {
    const item = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null
    if (item !== null && name !== '__proto__')
      kept[readText(name)] = prune(shape?.properties?.[name], item, depth + 1)
  }
  return kept
}

/** A lone surrogate, which JSON can express and no column can store, becomes U+FFFD, as in the reference. */
function readText(text: string): string {
  if (text.includes('\0')) throw invalid('text must not contain a null character')
  return text.toWellFormed()
}

function explain(validator: Validator, value: unknown): string {
  const [first] = validator.Errors(value)
  const field = first?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  const missing = (first?.params as { requiredProperties?: string[] } | undefined)?.requiredProperties
  if (missing?.[0] !== undefined) return `${[field, missing[0]].filter(Boolean).join('.')}: is required`
  return `${field || 'body'}: ${first?.message ?? 'is not valid'}`
}
