/** What many statuses come to. Pure. */
import { type Static, Type } from 'typebox'

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
