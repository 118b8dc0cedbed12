/**
 * The cache: plain bare repositories on local disk, under a byte budget. It is never authoritative: anyone may delete
 * it at any time. A request first reads the current stamp of the repository. If the copy has the same stamp it is used
 * as it is; otherwise the difference is applied, once for all waiting requests.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { AnswerCache } from '../fetch/answer-cache.ts'
import { packFile, SIDECARS } from '../packs/keys.ts'
import type { LivePack } from '../packs/rows.ts'
import { getStorage } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { layOut, writeHead, writePackedRefs } from './bare-repository.ts'
import { type Entry, isCurrent, isIntact, newEntry } from './entry.ts'
import { Healer, type Suspicion } from './healer.ts'
import { PackAccelerators } from './pack-accelerators.ts'
import { PackPool } from './pack-pool.ts'
import { readGeneration } from './read-generation.ts'
import { isDiskFull, Room } from './room.ts'

declare module '#platform/context' {
  interface World {
    readonly cache: GitCache
  }
}

/** A repository on disk, at the generation current when the lease was taken or a later one. Stays until released. */
export interface Lease extends AsyncDisposable {
  readonly path: string
  readonly storage: Storage
  /** Total size of its packs. */
  readonly bytes: number
  /** What the holder may have read so far. A caller that builds on it passes it along when it moves refs. */
  basis(): Basis
}

/** What a ref update was built on: the generation when the lease was opened, and every stamp the copy has had since. */
export interface Basis {
  readonly generation: number
  readonly stamps: ReadonlySet<string>
}

/** Above this number refs are not written to `packed-refs`; only shallow fetches by name need them there. */
const REFS_WRITTEN_MAX = 50_000
const APPLY_TRIES = 3

export class GitCache {
  readonly pool: PackPool
  readonly accelerators: PackAccelerators
  private readonly healer: Healer
  readonly room: Room
  readonly answers: AnswerCache
  /** Cache hits, hydrations, evictions, and how often pack files were missing. */
  readonly counts = { hits: 0, hydrations: 0, hydrationMs: 0, evictions: 0, damaged: 0 }
  private readonly folder: string
  private readonly budgetBytes: number
  private readonly entries = new Map<StorageId, Entry>()
  private tick = 0
  /** Bytes left by an earlier process, until it is known which of them are still needed. */
  private leftBytes = 0

  constructor(options: { folder: string; bytesMax: number; answersBytesMax?: number }) {
    // Git runs inside the repository, where a relative path would resolve differently.
    this.folder = resolve(options.folder)
    this.budgetBytes = options.bytesMax
    const answersBytesMax = Math.min(options.answersBytesMax ?? options.bytesMax, options.bytesMax / 2)
    this.answers = new AnswerCache(() => this.scratch, answersBytesMax)
    this.pool = new PackPool(join(this.folder, 'packs'))
    this.accelerators = new PackAccelerators(join(this.folder, 'accelerators'))
    this.room = new Room(this.folder)
    this.healer = new Healer(this.pool, this.accelerators)
  }

  async open(): Promise<void> {
    await this.pool.open()
    // Repositories consist of hard links only: rebuilding them is cheaper than checking them.
    await rm(join(this.folder, 'repositories'), { recursive: true, force: true })
    await rm(this.scratch, { recursive: true, force: true })
    await this.makeFolders()
    this.leftBytes = (await this.pool.countBytes()) + (await this.accelerators.countBytes())
    await this.evict()
  }

  /** Shared fetch answers and repositories share one budget. */
  private get bytesMax(): number {
    return this.budgetBytes - this.answers.bytes
  }

  private get copiesBytes(): number {
    return [...this.entries.values()].reduce((sum, entry) => sum + entry.bytes, 0)
  }

  /** Size of copies, leftovers and shared answers. */
  get bytes(): number {
    return this.copiesBytes + this.leftBytes + this.answers.bytes
  }

  /** A folder on the same file system, for files under construction. */
  get scratch(): string {
    return join(this.folder, 'scratch')
  }

  /** Leases the repository at its current generation or a later one. The lease includes a slot to run git (`Places`). */
  async lease(ctx: Context, id: StorageId): Promise<Lease> {
    const leave = await ctx.places.enter(ctx)
    try {
      const lease = await this.hold(ctx, id)
      const release = async () => {
        try {
          await lease[Symbol.asyncDispose]()
        } finally {
          leave()
        }
      }
      return { ...lease, [Symbol.asyncDispose]: release }
    } catch (error) {
      leave()
      throw error
    }
  }

  private async hold(ctx: Context, id: StorageId): Promise<Lease> {
    const storage = await getStorage(ctx.db, id)
    const readAt = ++this.tick
    const entry = this.entryOf(storage)
    const seen = new Set<string>()
    entry.leases.add(seen)
    entry.usedAt = readAt
    const release = async () => {
      entry.leases.delete(seen)
      if (entry.leases.size === 0 && this.entries.get(id) !== entry) await this.remove(entry)
      await this.evict()
    }
    try {
      await this.makeFolders()
      if (await this.noteDamage(entry)) entry.stamp = undefined
      if (isCurrent(entry, storage, readAt)) this.counts.hits += 1
      while (!isCurrent(entry, storage, readAt)) await this.hydrate(ctx, id, entry)
    } catch (error) {
      await release()
      throw isDiskFull(error) ? this.room.full() : error
    }
    for (const stamp of entry.stamps) seen.add(stamp)
    const { path, bytes } = entry
    const basis = () => ({ generation: storage.generation, stamps: new Set(seen) })
    return { path, storage, bytes, basis, [Symbol.asyncDispose]: release }
  }

  /**
   * Checks a repository whose files are suspected to be damaged. If they are, the next lease gets a new copy; current
   * leases keep this one.
   */
  async heal(ctx: Context, id: StorageId, suspicion: Suspicion): Promise<boolean> {
    await using lease = await this.lease(ctx, id)
    if (!(await this.healer.forgetDamaged(ctx, id, lease.path, suspicion))) return false
    ctx.log.warn({ 'git.storage': id }, 'damaged cache entry evicted')
    if (this.entries.get(id)?.path === lease.path) this.entries.delete(id)
    this.counts.damaged += 1
    return true
  }

  /** Counts damage when it is found, because the copy may be rebuilt or removed before the suspicion is reported. */
  private async noteDamage(entry: Entry): Promise<boolean> {
    if (entry.stamp === undefined || (await isIntact(entry))) return false
    this.counts.damaged += 1
    return true
  }

  /** The folders may have been deleted with the rest of the cache. */
  private async makeFolders(): Promise<void> {
    await mkdir(this.scratch, { recursive: true })
    await this.pool.makeFolder()
  }

  private entryOf({ id, object_format }: Storage): Entry {
    const found = this.entries.get(id)
    // After a failover that lost a storage, its id may be reused by one with the other object format.
    if (found?.format === object_format) return found
    // Every copy gets its own path: an earlier copy may still be leased.
    const path = join(this.folder, 'repositories', String(id % 1000), `${id}-${++this.tick}.git`)
    const entry = newEntry(path, object_format)
    this.entries.set(id, entry)
    return entry
  }

  /** Single flight: concurrent callers wait for the running hydration and then check again. */
  private hydrate(ctx: Context, id: StorageId, entry: Entry): Promise<void> {
    entry.hydrating ??= this.applyWhole(ctx, id, entry).finally(() => {
      entry.hydrating = undefined
    })
    return entry.hydrating
  }

  /** Retries when a listed pack was swept before its download, and, after evicting, when the disk is full. */
  private async applyWhole(ctx: Context, id: StorageId, entry: Entry): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.apply(ctx, id, entry)
      } catch (error) {
        const isGone = error instanceof Problem && error.details.what === 'object'
        if ((!isGone && !isDiskFull(error)) || tries === APPLY_TRIES) throw error
        if (isDiskFull(error)) await this.evict(0)
      }
    }
  }

  private async apply(ctx: Context, id: StorageId, entry: Entry): Promise<void> {
    const startedAt = performance.now()
    const readAt = ++this.tick
    const { storage, refs, packs } = await readGeneration(ctx.db, id, REFS_WRITTEN_MAX + 1)
    // Before the new packs appear. A lease taken while this runs may read both the old and the new generation.
    for (const seen of entry.leases) seen.add(storage.stamp)
    entry.stamps = [...entry.stamps, storage.stamp]
    await layOut(entry.path, storage)
    await this.linkPacks(ctx, entry, packs)
    await this.accelerators.provide(ctx, entry.path, packs)
    await writePackedRefs(entry.path, refs.length > REFS_WRITTEN_MAX ? [] : refs)
    await writeHead(entry.path, storage.head)
    entry.bytes = packs.reduce((sum, pack) => sum + pack.bytes + pack.index_bytes, 0)
    const digests = new Set(packs.map(({ digest }) => digest))
    entry.files = digests.size * SIDECARS.length
    entry.stamp = storage.stamp
    entry.readAt = readAt
    entry.stamps = [storage.stamp]
    const gone = entry.digests.filter((digest) => !digests.has(digest))
    entry.digests = [...digests]
    await this.pool.forget(gone)
    await this.accelerators.drop(gone)
    this.counts.hydrations += 1
    this.counts.hydrationMs += performance.now() - startedAt
  }

  /** Links new packs before unlinking old ones, so that a running git process never misses an object. */
  private async linkPacks(ctx: Context, entry: Entry, packs: readonly LivePack[]): Promise<void> {
    const folder = join(entry.path, 'objects/pack')
    const present = new Set(await readdir(folder))
    const wanted = new Set(
      packs.flatMap(({ digest }) => [...SIDECARS, 'bitmap' as const].map((it) => packFile(digest, it))),
    )
    for (const pack of packs)
      if (SIDECARS.some((it) => !present.has(packFile(pack.digest, it)))) {
        if (entry.digests.includes(pack.digest)) this.counts.damaged += 1
        await this.pool.provide(ctx, pack, folder)
      }
    for (const name of present) if (!wanted.has(name)) await rm(join(folder, name), { force: true })
  }

  /** Evicts the least recently used copies first; 0 evicts all. Leased copies stay. */
  private async evict(bytesMax = this.bytesMax): Promise<void> {
    let total = this.copiesBytes
    if (bytesMax > 0 && total + this.leftBytes <= bytesMax) return
    // Leftovers of an earlier process go first: no request has used them since the start.
    if (this.leftBytes > 0) await this.sweep()
    if (bytesMax > 0 && total <= bytesMax) return
    const idle = [...this.entries].filter(([, it]) => it.leases.size === 0 && it.hydrating === undefined)
    for (const [id, entry] of idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (total <= bytesMax && bytesMax > 0) break
      // A lease may have been taken while another copy was being removed.
      if (entry.leases.size > 0) continue
      this.entries.delete(id)
      this.counts.evictions += 1
      total -= entry.bytes
      await this.remove(entry)
    }
    await this.sweep()
  }

  /** Caller's duty: the copy has no leases and is no longer in `entries`. */
  private async remove(entry: Entry): Promise<void> {
    await this.noteDamage(entry)
    const doomed = join(this.scratch, `removed-${++this.tick}`)
    await rename(entry.path, doomed).catch(() => undefined)
    await rm(doomed, { recursive: true, force: true })
  }

  private async sweep(): Promise<void> {
    this.leftBytes = 0
    await this.pool.sweep()
    await this.accelerators.sweep()
  }
}
