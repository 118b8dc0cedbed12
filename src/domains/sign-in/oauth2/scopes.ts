/**
 * Scopes that an application asks for: those of access tokens, and those of OpenID Connect, which decide about the claims
 * in ID tokens and user info. Pure.
 */
import { CATEGORIES, exceeds, normalizeScopes, PUBLIC_ONLY } from '#domains/code/keys'
import { Problem } from '#platform/problem'

/** `offline_access` changes nothing: every application gets a refresh token. */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const
const IDENTITY: ReadonlySet<string> = new Set(IDENTITY_SCOPES)
const BARE: ReadonlySet<string> = new Set(CATEGORIES)

/**
 * Undefined when a scope is unknown. `fallback` is for an application that names no scope of access tokens and does not sign
 * people in with `openid` (D58).
 *
 * Compat: commas separate as well as blanks, and a category without a level means `write`: `tea` sends them so.
 */
export function parseScopes(text: string, fallback: readonly string[]): string[] | undefined {
  const given = text.split(/[\s,]+/).filter((it) => it !== '')
  const identity = IDENTITY_SCOPES.filter((it) => given.includes(it))
  const named = given.filter((it) => !IDENTITY.has(it))
  const wanted = named.map((it) => (BARE.has(it) ? `write:${it}` : it))
  if (wanted.length === 0) return identity.includes('openid') ? [...identity] : [...identity, ...fallback]
  try {
    return [...identity, ...normalizeScopes(wanted)]
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

export function covers(held: readonly string[], wanted: readonly string[]): boolean {
  if (!wanted.every((it) => !IDENTITY.has(it) || held.includes(it))) return false
  const access = accessScopes(wanted)
  return access.length === 0 || !exceeds(access, accessScopes(held))
}

/** What both together allow. */
export function joinScopes(one: readonly string[], other: readonly string[]): string[] {
  const identity = IDENTITY_SCOPES.filter((it) => one.includes(it) || other.includes(it))
  const sets = [accessScopes(one), accessScopes(other)].filter((it) => it.length > 0)
  const isPublicOnly = sets.every((it) => it.includes(PUBLIC_ONLY))
  const all = sets.flat().filter((it) => isPublicOnly || it !== PUBLIC_ONLY)
  return all.length === 0 ? identity : [...identity, ...normalizeScopes(all)]
}

/** Those of access tokens. */
function accessScopes(scopes: readonly string[]): string[] {
  return scopes.filter((it) => !IDENTITY.has(it))
}
