/** What cannot be missing unless we are wrong: better to end here than to go on with a number that is nobody's. */
import assert from 'node:assert/strict'

export function must<T>(value: T | undefined | null, why: string): T {
  assert(value !== undefined && value !== null, why)
  return value
}
