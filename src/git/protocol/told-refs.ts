/**
 * Refs as they were told, kept in memory by generation: a repository that has not changed is told without reading its
 * refs again. The generation grows with every change of refs and of HEAD, and is read anew for each request. Refs are
 * read after it, so what is kept under a generation is never older than that.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '#platform/context'
import type { Storage } from '../tables.ts'

const KEPT_BYTES_MAX = 64 * 1024 * 1024
/** Larger ones are told so seldom that they would only push the others out. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Short ones are told as quickly as they are found. */
const ANSWER_BYTES_MIN = 4_096

/** One for each cache on disk, so that two worlds in one process never mix. */
const kept = new WeakMap<object, LRUCache<string, Buffer>>()

export async function tellOnce(
  ctx: Context,
  storage: Storage,
  question: string,
  tell: () => Promise<Buffer>,
): Promise<Buffer> {
  const answers = answersOf(ctx)
  const key = `${storage.id} ${storage.generation} ${question}`
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = await tell()
  if (answer.length >= ANSWER_BYTES_MIN && answer.length <= ANSWER_BYTES_MAX) answers.set(key, answer)
  return answer
}

function answersOf(ctx: Context): LRUCache<string, Buffer> {
  const answers =
    kept.get(ctx.cache) ??
    new LRUCache<string, Buffer>({
      maxSize: KEPT_BYTES_MAX,
      sizeCalculation: (answer, key) => answer.length + key.length,
    })
  kept.set(ctx.cache, answers)
  return answers
}
