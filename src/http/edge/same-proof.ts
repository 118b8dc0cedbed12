/** Whether two proofs of access are equal: the same object, and the same role of the caller. */
import { isDeepStrictEqual } from 'node:util'

/** Compared for objects with an id. Names, counts and settings may change. */
const FACTS = ['id', 'isAdmin', 'isRestricted', 'publicOnly', 'role']

export function isSameProof(before: unknown, now: unknown): boolean {
  return isDeepStrictEqual(factsOf(before), factsOf(now))
}

function factsOf(proof: unknown): unknown {
  // Methods of a proof are not compared.
  if (typeof proof === 'function') return undefined
  if (typeof proof !== 'object' || proof === null) return proof
  const entries = Object.entries(proof)
  if (!('id' in proof)) return entries.map(([key, value]) => [key, factsOf(value)])
  const { level } = (proof as { access?: { level: unknown } }).access ?? {}
  return [...entries.filter(([key]) => FACTS.includes(key)), level]
}
