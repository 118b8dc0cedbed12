/** Reads a user that a client sends. Attributes that the forge does not keep are ignored. Pure. */
import { SUBJECT_MAX } from '#domains/sign-in/sources'
import { fieldOf } from '../patch/operations.ts'
import { EMAILS_MAX, TEXT_MAX } from '../protocol/names.ts'
import { badRequest } from '../protocol/problems.ts'
import { isObject, type Json } from '../protocol/requests.ts'
import type { Attributes, Email } from '../tables.ts'

export interface SentUser {
  readonly userName: string
  readonly externalId: string | null
  /** Undefined: the client says nothing of it. */
  readonly isActive: boolean | undefined
  readonly attributes: Attributes
}

export function readUser(body: Json): SentUser {
  const userName = textOf(body, 'userName')?.trim()
  if (userName === undefined || userName === '') throw badRequest('invalidValue', 'userName is required')
  const name = nameOf(fieldOf(body, 'name'))
  const displayName = textOf(body, 'displayName')
  const emails = emailsOf(fieldOf(body, 'emails'))
  return {
    userName,
    externalId: textOf(body, 'externalId', SUBJECT_MAX) || null,
    isActive: flagOf(fieldOf(body, 'active'), 'active'),
    attributes: {
      ...(name !== undefined && { name }),
      ...(displayName !== undefined && { displayName }),
      ...(emails.length > 0 && { emails }),
    },
  }
}

/** The full name of the account. */
export function fullNameOf({ name, displayName }: Attributes): string {
  const parts = [name?.givenName, name?.familyName].filter((it) => it !== undefined && it !== '')
  return displayName || name?.formatted || parts.join(' ')
}

/** The primary address, or the first one. */
export function emailOf({ emails = [] }: Attributes): string | null {
  return (emails.find(({ primary }) => primary) ?? emails[0])?.value ?? null
}

function nameOf(value: unknown): Attributes['name'] {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw badRequest('invalidValue', 'name is not an object')
  const entries = (['formatted', 'familyName', 'givenName'] as const).flatMap((key) => {
    const text = textOf(value, key)
    return text === undefined ? [] : [[key, text]]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function emailsOf(value: unknown): Email[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw badRequest('invalidValue', 'emails is not a list')
  if (value.length > EMAILS_MAX) throw badRequest('tooMany', 'too many emails')
  const emails = value.flatMap((item) => {
    if (!isObject(item)) throw badRequest('invalidValue', 'email is not an object')
    const address = textOf(item, 'value')
    const type = textOf(item, 'type')
    const primary = flagOf(fieldOf(item, 'primary'), 'primary')
    // A value that a PATCH has removed.
    if (address === undefined || address === '') return []
    return [
      { value: address, ...(type !== undefined && { type }), ...(primary !== undefined && { primary }) },
    ]
  })
  if (emails.filter(({ primary }) => primary).length > 1)
    throw badRequest('invalidValue', 'several emails are primary')
  return emails
}

export function textOf(object: Json, key: string, lengthMax = TEXT_MAX): string | undefined {
  const value = fieldOf(object, key.toLowerCase())
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || value.length > lengthMax || value.includes('\0'))
    throw badRequest('invalidValue', `${key} is not a text of at most ${lengthMax} characters`)
  return value.toWellFormed()
}

/** Entra ID sends booleans as texts such as "False". */
function flagOf(value: unknown, key: string): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw badRequest('invalidValue', `${key} is not a boolean`)
  return word === 'true'
}
