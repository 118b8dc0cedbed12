/**
 * Checking a signature costs milliseconds, and its outcome never changes: the object has its id from all its bytes,
 * and a key that was added is never altered. A key is named by the number of its row, so the epoch of the database is
 * part of every name.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '#platform/context'

declare module '#platform/context' {
  interface World {
    readonly signatureChecks: SignatureChecks
  }
}

const KEPT_MAX = 20_000

export class SignatureChecks extends LRUCache<string, string> {
  constructor() {
    super({ max: KEPT_MAX })
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
