/** Filters and orders as SQL. Values are parameters, and attributes are those of a fixed list. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { withoutUrn } from '../protocol/answers.ts'
import { badRequest } from '../protocol/problems.ts'
import type { Filter, Literal, Operator } from './parse.ts'

/** An attribute that filters know. `key`: compared without case, by a column or expression that is in lower case. */
export type Attribute =
  | { readonly kind: 'key' | 'text' | 'time' | 'boolean'; readonly value: RawBuilder<unknown> }
  | {
      readonly kind: 'many'
      /** The rows of its values, to which the attributes of `fields` belong. */
      readonly rows: RawBuilder<unknown>
      readonly fields: Attributes
    }
export type Attributes = Readonly<Record<string, Attribute>>

export function conditionOf(filter: Filter, attributes: Attributes): RawBuilder<SqlBool> {
  switch (filter.kind) {
    case 'and':
      return sql`(${sql.join(partsOf(filter.parts, attributes), sql` and `)})`
    case 'or':
      return sql`(${sql.join(partsOf(filter.parts, attributes), sql` or `)})`
    case 'not':
      return sql`(not coalesce(${conditionOf(filter.part, attributes)}, false))`
    case 'each': {
      const attribute = attributeOf(attributes, filter.path)
      if (attribute.kind !== 'many') throw unknown()
      return sql`exists (select from ${attribute.rows} where ${conditionOf(filter.part, attribute.fields)})`
    }
    default:
      return termOf(filter, attributes)
  }
}

/** Undefined for an attribute that has several values, or is unknown. */
export function orderOf(path: string, attributes: Attributes): RawBuilder<unknown> | undefined {
  const attribute = attributes[nameOf(path)]
  return attribute === undefined || attribute.kind === 'many' ? undefined : attribute.value
}

function partsOf(parts: readonly Filter[], attributes: Attributes): RawBuilder<SqlBool>[] {
  return parts.map((it) => conditionOf(it, attributes))
}

function termOf(
  filter: Extract<Filter, { kind: 'compare' | 'present' }>,
  attributes: Attributes,
): RawBuilder<SqlBool> {
  const path = nameOf(filter.path)
  const [first = '', sub = 'value'] = path.split('.')
  const outer = attributes[first]
  if (outer?.kind === 'many') {
    const inner = { ...filter, path: sub }
    if (filter.kind === 'present' && !path.includes('.')) return sql`exists (select from ${outer.rows})`
    return sql`exists (select from ${outer.rows} where ${termOf(inner, outer.fields)})`
  }
  const attribute = attributeOf(attributes, path)
  if (attribute.kind === 'many') throw unknown()
  if (filter.kind === 'present') return sql`${attribute.value} is not null`
  return comparison(attribute, filter.operator, filter.value)
}

type Single = Exclude<Attribute, { kind: 'many' }>

function comparison({ kind, value }: Single, operator: Operator, literal: Literal): RawBuilder<SqlBool> {
  if (literal === null) return sameOrNot(operator, sql`${value} is null`, sql`${value} is not null`)
  if (kind === 'boolean') {
    // Entra ID sends booleans as texts.
    const wanted = literal === 'true' || literal === 'false' ? literal === 'true' : literal
    if (typeof wanted !== 'boolean') throw mistake()
    return sameOrNot(operator, sql`${value} = ${wanted}`, sql`${value} is distinct from ${wanted}`)
  }
  if (typeof literal !== 'string') throw mistake()
  if (kind !== 'time') return ofText(value, operator, kind === 'key' ? literal.toLowerCase() : literal)
  const time = new Date(literal)
  if (Number.isNaN(time.getTime())) throw mistake()
  return ordered(value, operator, time)
}

function sameOrNot(
  operator: Operator,
  same: RawBuilder<SqlBool>,
  other: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (operator !== 'eq' && operator !== 'ne') throw mistake()
  return operator === 'eq' ? same : other
}

function ofText(value: RawBuilder<unknown>, operator: Operator, text: string): RawBuilder<SqlBool> {
  const like = text.replace(/[\\%_]/g, '\\$&')
  if (operator === 'co') return sql`${value} like ${`%${like}%`}`
  if (operator === 'sw') return sql`${value} like ${`${like}%`}`
  if (operator === 'ew') return sql`${value} like ${`%${like}`}`
  return ordered(value, operator, text)
}

function ordered(value: RawBuilder<unknown>, operator: Operator, wanted: string | Date): RawBuilder<SqlBool> {
  switch (operator) {
    case 'eq':
      return sql`${value} = ${wanted}`
    case 'ne':
      return sql`${value} is distinct from ${wanted}`
    case 'gt':
      return sql`${value} > ${wanted}`
    case 'ge':
      return sql`${value} >= ${wanted}`
    case 'lt':
      return sql`${value} < ${wanted}`
    case 'le':
      return sql`${value} <= ${wanted}`
    default:
      throw mistake()
  }
}

function attributeOf(attributes: Attributes, path: string): Attribute {
  const name = nameOf(path)
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  if (attribute === undefined) throw unknown()
  return attribute
}

function nameOf(path: string): string {
  return withoutUrn(path).toLowerCase()
}

function unknown() {
  return badRequest('invalidFilter', 'filter names an attribute that is not supported')
}

function mistake() {
  return badRequest('invalidFilter', 'filter compares an attribute with a value of another type')
}
