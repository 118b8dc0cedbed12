/** Applies operations to a resource as JSON. Pure: the result is read and checked like a resource that a client sends. */
import { demandedBy, matches } from '../filter/match.ts'
import type { Filter } from '../filter/parse.ts'
import { badRequest } from '../protocol/problems.ts'
import { isObject, type Json } from '../protocol/requests.ts'
import type { Operation } from './operations.ts'

/** What applies to the attributes of a resource. Names are those of the schema, in lower case, with their spelling. */
export interface Shape {
  readonly names: ReadonlyMap<string, string>
  readonly lists: ReadonlySet<string>
  readonly required: ReadonlySet<string>
}

export function applyTo(resource: Json, operations: readonly Operation[], shape: Shape): Json {
  const result = structuredClone(resource) as Record<string, unknown>
  for (const operation of operations) applyOne(result, operation, shape)
  return result
}

function applyOne(resource: Record<string, unknown>, operation: Operation, shape: Shape): void {
  const { path } = operation
  const name = shape.names.get(path.attribute.toLowerCase())
  // An attribute that the forge does not keep.
  if (name === undefined) return
  const now = resource[name]
  if (shape.lists.has(name)) resource[name] = changedList(Array.isArray(now) ? now : [], operation)
  else if (path.filter !== undefined) throw badRequest('invalidPath', 'attribute has no list of values')
  else if (path.sub !== undefined)
    resource[name] = withField(isObject(now) ? now : {}, path.sub, valueFor(operation))
  else if (operation.op === 'remove' && shape.required.has(name))
    throw badRequest('mutability', `${name} is required`)
  else resource[name] = changedValue(now, operation)
}

function changedValue(now: unknown, operation: Operation): unknown {
  const value = valueFor(operation)
  const isMerged = operation.op === 'add' && isObject(value) && isObject(now)
  return isMerged ? { ...now, ...value } : value
}

function valueFor({ op, value }: Operation): unknown {
  return op === 'remove' ? undefined : value
}

function changedList(list: readonly unknown[], operation: Operation): readonly unknown[] {
  const { filter } = operation.path
  return filter === undefined ? changedWhole(list, operation) : changedHits(list, operation, filter)
}

function changedWhole(list: readonly unknown[], operation: Operation): readonly unknown[] {
  const { op, path, value } = operation
  const { sub } = path
  if (sub !== undefined) return list.map((item) => withField(item, sub, valueFor(operation)))
  if (op === 'replace') return listOf(value)
  if (op === 'add') return merged(list, listOf(value))
  // Entra ID names the values to remove beside the path.
  const gone = value === undefined || value === null ? undefined : listOf(value)
  return gone === undefined ? [] : list.filter((item) => !gone.some((it) => isSame(it, item)))
}

function changedHits(list: readonly unknown[], operation: Operation, filter: Filter): unknown[] {
  const { op, path, value } = operation
  const { sub } = path
  const isHit = (item: unknown) => matches(filter, item)
  if (op === 'remove' && sub === undefined) return list.filter((item) => !isHit(item))
  const whole = isObject(value) ? value : { value }
  if (op !== 'remove' && !list.some(isHit))
    // Entra ID adds `emails[type eq "work"].value` to a user without such an address.
    return [...list, { ...demandedBy(filter), ...(sub === undefined ? whole : { [sub]: value }) }]
  const changed = (item: unknown) =>
    sub === undefined
      ? { ...(isObject(item) ? item : {}), ...whole }
      : withField(item, sub, valueFor(operation))
  return list.map((item) => (isHit(item) ? changed(item) : item))
}

/** A value that is there already is not added twice; a new primary one takes the place of the former. */
function merged(list: readonly unknown[], added: readonly unknown[]): unknown[] {
  const fresh = added.filter((it) => !list.some((item) => isSame(it, item)))
  const changed = added.filter((it) => list.some((item) => isSame(it, item)))
  const kept = list.map((item) => {
    const change = changed.find((it) => isSame(it, item))
    return isObject(item) && isObject(change) ? { ...item, ...change } : item
  })
  const takesPrimary = fresh.some((it) => isObject(it) && it.primary === true)
  return [...(takesPrimary ? kept.map((item) => withField(item, 'primary', undefined)) : kept), ...fresh]
}

function isSame(one: unknown, other: unknown): boolean {
  const plain = (it: unknown) => (isObject(it) ? it.value : it)
  return plain(one) === plain(other)
}

function withField(item: unknown, sub: string, value: unknown): unknown {
  if (!isObject(item)) return item
  const key = keyIn(item, sub)
  const { [key]: _, ...rest } = item
  return value === undefined ? rest : { ...rest, [key]: value }
}

function keyIn(object: Json, name: string): string {
  return Object.keys(object).find((it) => it.toLowerCase() === name.toLowerCase()) ?? name
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
