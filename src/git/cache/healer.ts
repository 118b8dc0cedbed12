/**
 * Decides whether cache files are damaged, by their sizes and digests and never by git's error output, because that
 * repeats what clients send. Reading packs is expensive and any client can make git fail, so one repository is read at
 * a time, and a repository found sound is not read again for a while.
 */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { atMost } from '#platform/at-most'
import type { Context } from '#platform/context'
import { packFile, SIDECARS } from '../packs/keys.ts'
import { type LivePack, listLivePacks } from '../packs/rows.ts'
import type { StorageId } from '../tables.ts'
import type { PackAccelerators } from './pack-accelerators.ts'
import type { PackPool } from './pack-pool.ts'

/** `gone`: files are missing or truncated, which their sizes show. `rotten`: their bytes may have changed. */
export type Suspicion = 'gone' | 'rotten'

const FOUND_WHOLE_MS = 60_000
const FOUND_WHOLE_MAX = 10_000

export class Healer {
  private readonly pool: PackPool
  private readonly accelerators: PackAccelerators
  private readonly underWay = new Map<string, Promise<boolean>>()
  private readonly foundWhole = new LRUCache<StorageId, true>({
    ...atMost(FOUND_WHOLE_MAX),
    ttl: FOUND_WHOLE_MS,
  })
  private reading: Promise<unknown> = Promise.resolve()

  constructor(pool: PackPool, accelerators: PackAccelerators) {
    this.pool = pool
    this.accelerators = accelerators
  }

  /** Drops damaged packs, which the next hydration downloads again. Single flight for concurrent callers. */
  forgetDamaged(ctx: Context, id: StorageId, path: string, suspicion: Suspicion): Promise<boolean> {
    const key = `${id} ${suspicion}`
    const current = this.underWay.get(key)
    if (current !== undefined) return current
    const started = this.look(ctx, id, path, suspicion).finally(() => this.underWay.delete(key))
    this.underWay.set(key, started)
    return started
  }

  private async look(ctx: Context, id: StorageId, path: string, suspicion: Suspicion): Promise<boolean> {
    const packs = await listLivePacks(ctx.db, id)
    if (await areAmiss(path, packs)) return true
    if (suspicion === 'gone' || this.foundWhole.has(id)) return false
    const reading = this.reading.then(() => this.read(packs))
    this.reading = reading.catch(() => undefined)
    const isDamaged = await reading
    if (!isDamaged) this.foundWhole.set(id, true)
    return isDamaged
  }

  private async read(packs: readonly LivePack[]): Promise<boolean> {
    const digests = packs.map(({ digest }) => digest)
    const damaged = (await this.pool.heal(digests)) + (await this.accelerators.heal(digests))
    return damaged > 0
  }
}

/** Compares file sizes without reading the files. */
async function areAmiss(path: string, packs: readonly LivePack[]): Promise<boolean> {
  for (const pack of packs) {
    const sizes = { pack: pack.bytes, idx: pack.index_bytes }
    for (const sidecar of SIDECARS) {
      const found = await stat(join(path, 'objects/pack', packFile(pack.digest, sidecar))).catch(
        () => undefined,
      )
      if (found?.size !== sizes[sidecar]) return true
    }
  }
  return false
}
