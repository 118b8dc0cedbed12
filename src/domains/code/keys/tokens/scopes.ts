/** Scopes of tokens. Pure. */
import { Problem } from '#platform/problem'
import type { Method } from '#platform/rest'

export const CATEGORIES = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
] as const
export type Category = (typeof CATEGORIES)[number]

export const ALL = 'all'
export const PUBLIC_ONLY = 'public-only'

const KNOWN: ReadonlySet<string> = new Set([
  ALL,
  PUBLIC_ONLY,
  ...CATEGORIES.flatMap((category) => [`read:${category}`, `write:${category}`]),
])

/** Names the missing scope; undefined when none is missing. All categories are required. */
export function scopeRefusal(
  scopes: readonly string[],
  needs: { method: Method; scopes: readonly string[] },
): string | undefined {
  const level = needs.method === 'GET' ? 'read' : 'write'
  for (const category of needs.scopes) {
    if (!reaches(scopes, `${level}:${category}`))
      return `token lacks the scope ${level}:${category}, it has ${scopes.join(',')}`
  }
  return undefined
}

/**
 * The normal form of a set of scopes: `public-only` first, then one scope for each category in a fixed order, and `all`
 * in place of all categories.
 */
export function normalizeScopes(scopes: readonly string[]): string[] {
  if (scopes.length === 0) throw new Problem('malformed', 'an access token must have a scope')
  const unknown = scopes.find((scope) => !KNOWN.has(scope))
  if (unknown !== undefined) throw new Problem('malformed', `scope ${unknown} does not exist`)
  const mark = scopes.includes(PUBLIC_ONLY) ? [PUBLIC_ONLY] : []
  const writesAll = CATEGORIES.every((category) => reaches(scopes, `write:${category}`))
  return [...mark, ...(writesAll ? [ALL] : CATEGORIES.flatMap((category) => reachOf(scopes, category)))]
}

/** Whether `wanted` allows anything that `own` does not. */
export function exceeds(wanted: readonly string[], own: readonly string[]): boolean {
  if (own.includes(PUBLIC_ONLY) && !wanted.includes(PUBLIC_ONLY)) return true
  return wanted.some((scope) => scope !== PUBLIC_ONLY && !reaches(own, scope))
}

/** A write scope includes read. */
function reaches(scopes: readonly string[], scope: string): boolean {
  return scopes.includes(ALL) || scopes.includes(scope) || scopes.includes(scope.replace(/^read:/, 'write:'))
}

function reachOf(scopes: readonly string[], category: Category): string[] {
  if (reaches(scopes, `write:${category}`)) return [`write:${category}`]
  return reaches(scopes, `read:${category}`) ? [`read:${category}`] : []
}
