/**
 * Compaction by writers: a write that finds too many live packs joins them before it goes on, so that it is not refused
 * because the job queue is late. Concurrent writers on a node wait for the same compaction.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { asPreparation, type Context } from '#platform/context'
import type { StorageId } from '../tables.ts'
import { compact } from './packs/compact.ts'

declare module '#platform/context' {
  interface World {
    readonly compactions: Compactions
  }
}

/** A writer does not wait longer for large packs to be joined: it goes on, and so does the compaction. */
const WAIT_MS_MAX = 30_000

export class Compactions {
  private readonly underWay = new Map<StorageId, Promise<void>>()

  /** Resolves when the packs are joined, when that failed, and after WAIT_MS_MAX. */
  async wait(ctx: Context, storageId: StorageId): Promise<void> {
    const compaction = this.underWay.get(storageId) ?? this.start(ctx, storageId)
    const over = new AbortController()
    const late = pause(WAIT_MS_MAX, undefined, { signal: over.signal, ref: false }).catch(() => undefined)
    await Promise.race([compaction, late])
    over.abort()
  }

  private start(ctx: Context, storageId: StorageId): Promise<void> {
    // Other writers wait for it, so it does not stop when the request that started it is aborted.
    const lasting = { ...asPreparation(ctx), signal: new AbortController().signal }
    const compaction = compact(lasting, storageId)
      .then(
        () => undefined,
        (error: unknown) => ctx.log.warn({ err: error, 'git.storage': storageId }, 'compaction failed'),
      )
      .finally(() => this.underWay.delete(storageId))
    this.underWay.set(storageId, compaction)
    return compaction
  }
}
