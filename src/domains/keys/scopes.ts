/** How far a token reaches. Pure: words in, verdicts out. */
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

/** Says which scope is lacking; undefined when none is. Every category is needed, not one of them. */
export function scopeRefusal(
  scopes: readonly string[],
  needs: { method: Method; scopes: readonly string[] },
): string | undefined {
  if (scopes.includes(ALL)) return undefined
  const level = needs.method === 'GET' ? 'read' : 'write'
  for (const category of needs.scopes) {
    const isEnough =
      scopes.includes(`write:${category}`) || (level === 'read' && scopes.includes(`read:${category}`))
    if (!isEnough) return `token lacks the scope ${level}:${category}, it has ${scopes.join(',')}`
  }
  return undefined
}
