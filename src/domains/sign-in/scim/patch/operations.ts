/** The operations of a PATCH as clients send them: names in any case, with or without a path. */
import { OPERATIONS_MAX } from '../protocol/names.ts'
import { badRequest } from '../protocol/problems.ts'
import { isObject, type Json } from '../protocol/requests.ts'
import { type Path, parsePath } from './path.ts'

export interface Operation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: Path
  readonly value: unknown
}

const OPS = ['add', 'replace', 'remove'] as const

/** An operation without a path is one for each attribute of its value. */
export function readOperations(body: Json): Operation[] {
  const list = fieldOf(body, 'operations')
  if (!Array.isArray(list)) throw badRequest('invalidSyntax', 'Operations is not a list')
  if (list.length > OPERATIONS_MAX) throw badRequest('tooMany', 'too many operations')
  return list.flatMap(readOperation)
}

export function fieldOf(object: Json, key: string): unknown {
  const name = Object.keys(object).find((it) => it.toLowerCase() === key)
  return name === undefined ? undefined : object[name]
}

function readOperation(item: unknown): Operation[] {
  if (!isObject(item)) throw badRequest('invalidSyntax', 'operation is not an object')
  const word = String(fieldOf(item, 'op')).toLowerCase()
  const op = OPS.find((it) => it === word)
  if (op === undefined) throw badRequest('invalidSyntax', 'op is none of add, replace and remove')
  const path = fieldOf(item, 'path')
  const value = fieldOf(item, 'value')
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw badRequest('invalidPath', 'path is not a text')
    const parsed = parsePath(path)
    return parsed === undefined ? [] : [{ op, path: parsed, value }]
  }
  if (op === 'remove') throw badRequest('noTarget', 'a remove operation needs a path')
  if (!isObject(value)) throw badRequest('invalidValue', 'value is not an object')
  return Object.entries(value).flatMap(([name, value]) => {
    if (name.toLowerCase() === 'schemas') return []
    const parsed = parsePath(name)
    return parsed === undefined ? [] : [{ op, path: parsed, value }]
  })
}
