/**
 * Caches ref advertisements in memory by stamp, so that refs of an unchanged repository are not read again. Every change
 * of refs and of HEAD makes a new stamp, and every request reads the current one. Refs are read after the stamp, and kept
 * only if the stamp is still the same then: a later one may be lost with a failover.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '#platform/context'
import { isStillAt } from '../storage/storage.ts'
import type { Storage } from '../tables.ts'

const KEPT_BYTES_MAX = 64 * 1024 * 1024
/** Larger advertisements are requested so seldom that they would only evict others. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Shorter advertisements are read from PostgreSQL as fast as from the cache. */
const ANSWER_BYTES_MIN = 4_096

/** Limit of all advertisements being gathered for the cache at once. */
const GATHERED_BYTES_MAX = 32 * 1024 * 1024

declare module '#platform/context' {
  interface World {
    readonly advertisements: AdvertisementCache
  }
}

export class AdvertisementCache {
  readonly answers = new LRUCache<string, readonly Buffer[]>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: (pieces, key) => pieces.reduce((sum, piece) => sum + piece.length, key.length),
  })
  gatheredBytes = 0
}

/** Streams while reading: a slow client keeps no more than one piece in memory. */
export async function* advertiseOnce(
  ctx: Context,
  storage: Storage,
  question: string,
  advertise: () => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const { advertisements: cache } = ctx
  const key = `${storage.id} ${storage.stamp} ${question}`
  const known = cache.answers.get(key)
  if (known !== undefined) return yield* known
  const gathering = new Gathering(cache)
  try {
    for await (const piece of advertise()) {
      gathering.add(piece)
      yield piece
    }
    if (gathering.isWorthKeeping && (await isStillAt(ctx.db, storage))) gathering.keep(key)
  } finally {
    gathering.forget()
  }
}

class Gathering {
  private readonly cache: AdvertisementCache
  private pieces: Buffer[] | undefined = []
  private bytes = 0

  constructor(cache: AdvertisementCache) {
    this.cache = cache
  }

  add(piece: Buffer): void {
    if (this.pieces === undefined) return
    this.pieces.push(piece)
    this.bytes += piece.length
    this.cache.gatheredBytes += piece.length
    if (this.bytes > ANSWER_BYTES_MAX || this.cache.gatheredBytes > GATHERED_BYTES_MAX) this.forget()
  }

  get isWorthKeeping(): boolean {
    return this.pieces !== undefined && this.bytes >= ANSWER_BYTES_MIN
  }

  keep(key: string): void {
    if (this.pieces !== undefined) this.cache.answers.set(key, this.pieces)
  }

  forget(): void {
    this.cache.gatheredBytes -= this.bytes
    this.bytes = 0
    this.pieces = undefined
  }
}
