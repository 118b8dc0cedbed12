/** Reads query and path parameters tolerantly: invalid values are never an error, only absent. */
import type { TObject, TSchema } from 'typebox'
import { invalid, Problem } from '#platform/problem'

const TRUE = /^(1|t|true|on)$/i
const FALSE = /^(0|f|false|off)$/i

interface Field {
  readonly type?: string
  /** An invalid boolean is refused instead of read as false. */
  readonly 'x-strict'?: boolean
  readonly items?: Field
}

/** Repeated keys: the first one counts, unless the parameter is a list. */
export function readQuery(schema: TObject | undefined, query: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  if (schema === undefined) return values
  for (const [name, field] of Object.entries(schema.properties as Record<string, TSchema & Field>)) {
    if (!query.has(name)) continue
    const texts = query.getAll(name)
    if (texts.some((text) => text.includes('\0'))) throw invalid(`${name}: must not contain a null character`)
    const value = field.type === 'array' ? texts : readValue(field, texts[0] ?? '')
    if (value !== undefined) values[name] = value
  }
  return values
}

/** An invalid number in a path becomes 0, which the lookup does not find. */
export function readParams(
  schema: TObject | undefined,
  params: Record<string, string>,
): Record<string, unknown> {
  const fields = (schema?.properties ?? {}) as Record<string, Field>
  const values: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(params)) {
    if (text.includes('\0')) throw new Problem('not_found', 'not found')
    values[name] = fields[name]?.type === 'integer' ? (readInteger(text) ?? 0) : text
  }
  return values
}

export function readValue(field: Field, text: string): unknown {
  if (field.type === 'integer' || field.type === 'number') return readInteger(text)
  if (field.type === 'boolean') return readBoolean(field, text)
  return text
}

function readBoolean(field: Field, text: string): boolean | undefined {
  if (text === '') return undefined
  if (field['x-strict'] && !TRUE.test(text) && !FALSE.test(text)) throw invalid(`${text} is no boolean`)
  return TRUE.test(text)
}

function readInteger(text: string): number | undefined {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}
