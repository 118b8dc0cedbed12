/** Reads a group that a client sends, and what a PATCH does to its members. Pure. */
import { GROUP_NAME_MAX } from '#domains/sign-in/sources'
import type { Filter } from '../filter/parse.ts'
import { fieldOf, type Operation } from '../patch/operations.ts'
import { MEMBERS_MAX, TEXT_MAX } from '../protocol/names.ts'
import { badRequest } from '../protocol/problems.ts'
import { isObject, type Json, UUID } from '../protocol/requests.ts'
import { textOf } from '../users/read-user.ts'

export interface SentGroup {
  readonly displayName: string
  readonly externalId: string | null
  /** IDs of users; undefined: the client says nothing of them. */
  readonly members: readonly string[] | undefined
}

/** A step of a PATCH: members are added, removed or replaced. */
export type MemberStep =
  | { readonly kind: 'add' | 'remove' | 'replace'; readonly ids: readonly string[] }
  | { readonly kind: 'clear' }

export function readGroup(body: Json): SentGroup {
  const displayName = textOf(body, 'displayName', GROUP_NAME_MAX)?.trim()
  if (displayName === undefined || displayName === '')
    throw badRequest('invalidValue', 'displayName is required')
  const members = fieldOf(body, 'members')
  return {
    displayName,
    externalId: textOf(body, 'externalId', TEXT_MAX) || null,
    members: members === undefined || members === null ? undefined : idsOf(members),
  }
}

/** Undefined for an operation on another attribute. */
export function memberStepOf({ op, path, value }: Operation): MemberStep | undefined {
  if (path.attribute.toLowerCase() !== 'members') return undefined
  if (path.filter !== undefined) {
    if (op !== 'remove' || path.sub !== undefined)
      throw badRequest('invalidPath', 'members are added by their value and removed by it')
    return { kind: 'remove', ids: namedBy(path.filter) }
  }
  if (path.sub !== undefined) throw badRequest('mutability', 'a member cannot be changed')
  const isEmpty = value === undefined || value === null
  if (op === 'remove') return isEmpty ? { kind: 'clear' } : { kind: 'remove', ids: idsOf(value) }
  return { kind: op, ids: isEmpty ? [] : idsOf(value) }
}

/** `[value eq "id"]`, or several of them joined by `or`. */
function namedBy(filter: Filter): readonly string[] {
  if (filter.kind === 'or') return filter.parts.flatMap(namedBy)
  const isValue =
    filter.kind === 'compare' && filter.operator === 'eq' && filter.path.toLowerCase() === 'value'
  if (!isValue) throw badRequest('invalidPath', 'members are removed by their value')
  return idsOf([{ value: filter.value }])
}

function idsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > MEMBERS_MAX) throw badRequest('tooMany', `a group has at most ${MEMBERS_MAX} members`)
  const ids = list.map((item) => {
    const id = isObject(item) ? fieldOf(item, 'value') : item
    const text = typeof id === 'string' ? id.toLowerCase() : ''
    if (!UUID.test(text)) throw badRequest('invalidValue', 'value of a member is not the id of a user')
    return text
  })
  return [...new Set(ids)]
}
