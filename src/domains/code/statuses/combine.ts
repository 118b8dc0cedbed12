/** What many statuses come to. Pure. */
import { type Static, Type } from 'typebox'
import { globOf } from '#platform/patterns'

export type State = Static<typeof State>
export const State = Type.Union([
  Type.Literal('pending'),
  Type.Literal('success'),
  Type.Literal('error'),
  Type.Literal('failure'),
  Type.Literal('warning'),
  Type.Literal('skipped'),
])

/** One that failed is enough to fail; nothing at all, or one that is still to come, is pending. */
export function combine(states: readonly State[]): State {
  if (states.some((state) => state === 'error' || state === 'failure')) return 'failure'
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success'
}

/**
 * What those come to that a rule asks for: every pattern must have at least one context that fits, and all that fit count.
 * No pattern at all asks for every check that there is.
 */
export function combineRequired(
  latest: readonly { readonly context: string; readonly state: State }[],
  patterns: readonly string[],
): State {
  if (patterns.length === 0) return combine(latest.map(({ state }) => state))
  const states = patterns.map((pattern) => {
    const fits = globOf(pattern, '')
    return combine(latest.filter(({ context }) => fits(context)).map(({ state }) => state))
  })
  return combine(states)
}
