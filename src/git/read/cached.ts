/**
 * An in-memory cache of immutable answers, bounded in bytes.
 *
 * Every key names its objects by id, and the content behind an id never changes, so there is nothing to invalidate. What
 * can change (refs, short ids, whether an object exists) is not cached; «not found» is not cached either, because the
 * next push may add the object. The storage is part of the key: an object of one repository must not answer for another
 * that may not have it. So is the epoch of the database: a failover may lose a push or a whole repository and reuse its
 * id. Entries expire, so that objects collected from a repository disappear here as well.
 */

import { LRUCache } from 'lru-cache'
import type { Context } from '#platform/context'
import { isStillAt } from '../storage/storage.ts'
import type { StorageId } from '../tables.ts'

const KEPT_BYTES_MAX = 64 * 1024 * 1024
const ANSWER_BYTES_MAX = 1024 * 1024
const KEPT_MS = 3_600_000
/** Approximate cost of an entry besides its content. */
const OVERHEAD_BYTES = 64

declare module '#platform/context' {
  interface World {
    readonly readAnswers: ReadAnswers
  }
}

export class ReadAnswers extends LRUCache<string, object> {
  constructor() {
    super({ maxSize: KEPT_BYTES_MAX, maxEntrySize: ANSWER_BYTES_MAX, ttl: KEPT_MS })
  }
}

export type Key = readonly (string | number | boolean | null | undefined | readonly string[])[]

/** Callers share the returned object and must not modify it. An answer that does not suffice is replaced. */
export async function cached<T extends object | undefined>(
  ctx: Context,
  storageId: StorageId,
  question: string,
  key: Key,
  find: () => Promise<T>,
  suffices: (known: NonNullable<T>) => boolean = () => true,
): Promise<T> {
  const { readAnswers } = ctx
  const name = nameOf(ctx, storageId, question, key)
  const known = readAnswers.get(name) as NonNullable<T> | undefined
  if (known !== undefined && suffices(known)) return known
  const answer = await find()
  if (answer !== undefined)
    readAnswers.set(name, answer, { size: OVERHEAD_BYTES + name.length + weigh(answer) })
  return answer
}

/** For answers that depend on refs, keyed by stamp: cached only if no ref has moved while the answer was computed. */
export async function cachedAtStamp<T extends object>(
  ctx: Context,
  storage: { readonly id: StorageId; readonly stamp: string },
  question: string,
  key: Key,
  find: () => Promise<T>,
): Promise<T> {
  const whole = [storage.stamp, ...key]
  const known = peek<T>(ctx, storage.id, question, whole)
  if (known !== undefined) return known
  const answer = await find()
  return (await isStillAt(ctx.db, storage))
    ? cached(ctx, storage.id, question, whole, async () => answer)
    : answer
}

/** Many answers, each under its own key: all misses are computed together. Missing objects are left out. */
export async function cachedEach<T extends object>(
  ctx: Context,
  storageId: StorageId,
  question: string,
  names: readonly string[],
  keyOf: (name: string) => Key,
  find: (unknown: readonly string[]) => Promise<readonly (T | undefined)[]>,
): Promise<Map<string, T>> {
  const wanted = [...new Set(names)]
  const known = new Map(wanted.map((name) => [name, peek<T>(ctx, storageId, question, keyOf(name))]))
  const unknown = wanted.filter((name) => known.get(name) === undefined)
  const { epoch } = ctx.timeline
  const found = unknown.length === 0 ? [] : await find(unknown)
  const isKept = ctx.timeline.epoch === epoch
  for (const [i, name] of unknown.entries())
    known.set(
      name,
      isKept ? await cached(ctx, storageId, question, keyOf(name), async () => found[i]) : found[i],
    )
  return new Map([...known].filter((it): it is [string, T] => it[1] !== undefined))
}

/** The cached answer, if any; computes nothing. */
export function peek<T extends object>(
  ctx: Context,
  storageId: StorageId,
  question: string,
  key: Key,
): T | undefined {
  return ctx.readAnswers.get(nameOf(ctx, storageId, question, key)) as T | undefined
}

function nameOf({ timeline }: Context, storageId: StorageId, question: string, key: Key): string {
  return JSON.stringify([timeline.epoch, storageId, question, ...key])
}

/** Approximate size of a value in memory. */
function weigh(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD_BYTES + value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  if (value instanceof Uint8Array) return OVERHEAD_BYTES + value.byteLength
  const inside = value instanceof Map ? [...value.values()] : Object.values(value)
  return inside.reduce<number>((sum, it) => sum + weigh(it), OVERHEAD_BYTES)
}
