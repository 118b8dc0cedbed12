/** Whether two proofs say the same: what they are about, and what the caller is to it. */
import { isDeepStrictEqual } from 'node:util'

/** Of what has a number of its own. Names, counts and settings may change as they like. */
const FACTS = ['id', 'isAdmin', 'isRestricted', 'publicOnly', 'role']

export function isSameProof(before: unknown, now: unknown): boolean {
  return isDeepStrictEqual(factsOf(before), factsOf(now))
}

function factsOf(proof: unknown): unknown {
  // What a proof can do says nothing of its own.
  if (typeof proof === 'function') return undefined
  if (typeof proof !== 'object' || proof === null) return proof
  const entries = Object.entries(proof)
  if (!('id' in proof)) return entries.map(([key, value]) => [key, factsOf(value)])
  const { level } = (proof as { access?: { level: unknown } }).access ?? {}
  return [...entries.filter(([key]) => FACTS.includes(key)), level]
}
