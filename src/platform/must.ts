/** Asserts that a value exists: failing here is better than continuing with a wrong value. */
import assert from 'node:assert/strict'

export function must<T>(value: T | undefined | null, why: string): T {
  assert(value !== undefined && value !== null, why)
  return value
}
