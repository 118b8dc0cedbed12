/** A person as a source describes them, within bounds. Pure. */

export interface Profile {
  /** Identifies the person at the source, for ever. */
  readonly subject: string
  readonly login: string
  readonly fullName: string
  /** Null unless the source says that it is verified. */
  readonly email: string | null
  /** Null when the source says nothing of groups. */
  readonly groups: readonly string[] | null
}

export const SUBJECT_MAX = 255
export const GROUP_NAME_MAX = 255
export const GROUPS_MAX = 1_000
const LOGIN_MAX = 40
const TEXT_MAX = 255

/** A name for a new account, from the name at the source; empty if nothing of it can be used. */
export function usernameFrom(login: string): string {
  const [local = ''] = login.slice(0, TEXT_MAX).split('@')
  const plain = local.normalize('NFKD').replace(/\p{M}/gu, '')
  return plain
    .replace(/[^\da-z]+/gi, (marks) => (/^[-._]$/.test(marks) ? marks : '-'))
    .slice(0, LOGIN_MAX)
    .replace(/^[-._]+|[-._]+$/g, '')
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').slice(0, TEXT_MAX) : ''
}

/** Undefined for a list that is longer than any person's groups, or that is no list of names. */
export function groupsOf(value: unknown): readonly string[] | null | undefined {
  if (value === undefined || value === null) return null
  const list = typeof value === 'string' ? [value] : value
  if (!Array.isArray(list) || list.length > GROUPS_MAX) return undefined
  if (!list.every((it) => typeof it === 'string' && it.length <= GROUP_NAME_MAX)) return undefined
  return [...new Set(list as string[])]
}
