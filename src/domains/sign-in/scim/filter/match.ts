/** Whether one value of an attribute meets a filter: for the paths of PATCH operations. Pure. */
import { isObject } from '../protocol/requests.ts'
import type { Filter, Literal, Operator } from './parse.ts'

export function matches(filter: Filter, value: unknown): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((it) => matches(it, value))
    case 'or':
      return filter.parts.some((it) => matches(it, value))
    case 'not':
      return !matches(filter.part, value)
    case 'present':
      return fieldOf(value, filter.path) !== undefined
    case 'each':
      return false
    case 'compare':
      return compares(filter.operator, fieldOf(value, filter.path), filter.value)
  }
}

/** What `[type eq "work" and primary eq true]` demands, for a value that such a path adds. */
export function demandedBy(filter: Filter): Readonly<Record<string, Literal>> {
  if (filter.kind === 'and') return Object.assign({}, ...filter.parts.map(demandedBy))
  return filter.kind === 'compare' && filter.operator === 'eq' ? { [filter.path]: filter.value } : {}
}

function fieldOf(value: unknown, path: string): unknown {
  if (!isObject(value)) return path.toLowerCase() === 'value' ? value : undefined
  const name = Object.keys(value).find((it) => it.toLowerCase() === path.toLowerCase())
  return name === undefined ? undefined : value[name]
}

function compares(operator: Operator, field: unknown, wanted: Literal): boolean {
  const one = typeof field === 'string' ? field.toLowerCase() : field
  const other = typeof wanted === 'string' ? wanted.toLowerCase() : wanted
  if (operator === 'eq') return one === other || (one === undefined && other === null)
  if (operator === 'ne') return one !== other
  if (typeof one !== 'string' || typeof other !== 'string') return false
  switch (operator) {
    case 'co':
      return one.includes(other)
    case 'sw':
      return one.startsWith(other)
    case 'ew':
      return one.endsWith(other)
    case 'gt':
      return one > other
    case 'ge':
      return one >= other
    case 'lt':
      return one < other
    case 'le':
      return one <= other
  }
}
