/** Combines the states of several statuses. Pure. */
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

/** Any `error` or `failure` gives `failure`; otherwise no status, or any `pending`, gives `pending`. */
export function combine(states: readonly State[]): State {
  if (states.some((state) => state === 'error' || state === 'failure')) return 'failure'
  return states.length === 0 || states.includes('pending') ? 'pending' : 'success'
}

/**
 * The combined state of required checks. Every pattern must match at least one context, and all matching contexts
 * count. Without patterns every status counts.
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
