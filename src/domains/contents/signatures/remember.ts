/**
 * Checking a signature costs milliseconds, and its outcome never changes: the object has its id from all its bytes,
 * and a key that was added is never altered.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '#platform/context'

const kept = new WeakMap<object, LRUCache<string, string>>()
const KEPT_MAX = 20_000

export async function remember(ctx: Context, name: string, find: () => Promise<string>): Promise<string> {
  let answers = kept.get(ctx.cache)
  if (answers === undefined) {
    answers = new LRUCache({ max: KEPT_MAX })
    kept.set(ctx.cache, answers)
  }
  const known = answers.get(name)
  if (known !== undefined) return known
  const answer = await find()
  answers.set(name, answer)
  return answer
}
