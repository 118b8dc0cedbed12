/**
 * Caches signature checks, which cost milliseconds and whose outcome never changes: an object id covers all bytes, and a
 * stored key is never altered. Keys are identified by row id, so the database's epoch is part of every cache key.
 */
import { LRUCache } from 'lru-cache'
import { atMost } from '#platform/at-most'
import type { Context } from '#platform/context'

declare module '#platform/context' {
  interface World {
    readonly signatureChecks: SignatureChecks
  }
}

const KEPT_MAX = 20_000

export class SignatureChecks extends LRUCache<string, string> {
  constructor() {
    super(atMost(KEPT_MAX))
  }
}

export async function remember(
  { signatureChecks, timeline }: Context,
  name: string,
  find: () => Promise<string>,
): Promise<string> {
  const key = `${timeline.epoch} ${name}`
  const known = signatureChecks.get(key)
  if (known !== undefined) return known
  const answer = await find()
  signatureChecks.set(key, answer)
  return answer
}
