/**
 * The cache: plain bare repositories on local disk, under a byte budget. Never the truth: it can be deleted at any
 * time, by anyone. A request first reads the stamp of the generation; equal means the cache is used as it is, otherwise
 * only the difference is applied, once, however many wait for it.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { AnswerCache } from '../fetch/answer-cache.ts'
import { packFile, SIDECARS } from '../packs/keys.ts'
import { type LivePack, listLivePacks } from '../packs/rows.ts'
import { listRefs } from '../refs/read.ts'
import { getStorage } from '../storage/storage.ts'
import type { Storage, StorageId } from '../tables.ts'
import { layOut, writeHead, writePackedRefs } from './bare-repository.ts'
import { type Entry, isCurrent, isIntact, newEntry } from './entry.ts'
import { Healer, type Suspicion } from './healer.ts'
import { PackAccelerators } from './pack-accelerators.ts'
import { PackPool } from './pack-pool.ts'
import { isDiskFull, Room } from './room.ts'

declare module '#platform/context' {
  interface World {
    readonly cache: GitCache
  }
}

/** A repository on disk, as it was at a generation or later. It stays until it is released. */
export interface Lease extends AsyncDisposable {
  readonly path: string
  readonly storage: Storage
  /** How large its packs are. */
  readonly bytes: number
  /** What has been seen through it until now: whoever builds on that says so when refs are moved. */
  basis(): Basis
}

/** What a change of refs was built on: the generation when it was opened, and the stamps of all that were seen since. */
export interface Basis {
  readonly generation: number
  readonly stamps: ReadonlySet<string>
}

/** More refs than this are not written out: only shallow fetches by name would miss them. */
const REFS_WRITTEN_MAX = 50_000
const APPLY_TRIES = 3
const READ_TRIES = 3
/** The stamp of no generation: a copy between two is for those who wait for it, and for nobody after them. */
const BETWEEN = ''

export class GitCache {
  readonly pool: PackPool
  readonly accelerators: PackAccelerators
  private readonly healer: Healer
  readonly room: Room
  readonly answers: AnswerCache
  /** How leases found their repository, and how often files were gone that should have been there. */
  readonly counts = { hits: 0, hydrations: 0, hydrationMs: 0, damaged: 0 }
  private readonly folder: string
  private readonly budgetBytes: number
  private readonly entries = new Map<StorageId, Entry>()
  private tick = 0
  /** What an earlier process left in the folder, as long as nobody knows which of it is still of use. */
  private leftBytes = 0

  constructor(options: { folder: string; bytesMax: number; answersBytesMax?: number }) {
    // Git stands in its repository, where a path from here would lead elsewhere.
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
    // Repositories are only links: making them again is cheaper than finding out what they were.
    await rm(join(this.folder, 'repositories'), { recursive: true, force: true })
    await rm(this.scratch, { recursive: true, force: true })
    await this.makeFolders()
    this.leftBytes = (await this.pool.countBytes()) + (await this.accelerators.countBytes())
    await this.evict()
  }

  /** What answers take is taken from the copies. */
  private get bytesMax(): number {
    return this.budgetBytes - this.answers.bytes
  }

  /** A folder on the same file system, for what is being made. */
  get scratch(): string {
    return join(this.folder, 'scratch')
  }

  /** The repository at its current generation or a later one. Whoever has it has a place to run git, too. */
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
   * Something is said to be wrong with the files of a repository. If there is, whoever comes next gets another copy of
   * it; this one stays for those who are in it.
   */
  async heal(ctx: Context, id: StorageId, suspicion: Suspicion): Promise<boolean> {
    await using lease = await this.lease(ctx, id)
    if (!(await this.healer.forgetDamaged(ctx, id, lease.path, suspicion))) return false
    ctx.log.warn({ 'git.storage': id }, 'damaged cache entry evicted')
    if (this.entries.get(id)?.path === lease.path) this.entries.delete(id)
    this.counts.damaged += 1
    return true
  }

  /** Whoever found nothing in it must learn of that, even when it is made again or removed before they ask. */
  private async noteDamage(entry: Entry): Promise<boolean> {
    if (entry.stamp === undefined || (await isIntact(entry))) return false
    this.counts.damaged += 1
    return true
  }

  /** Whoever deleted the cache may have deleted its folders, too. */
  private async makeFolders(): Promise<void> {
    await mkdir(this.scratch, { recursive: true })
    await this.pool.makeFolder()
  }

  private entryOf({ id, object_format }: Storage): Entry {
    const found = this.entries.get(id)
    // A failover that lost a storage may give its number to one of the other format.
    if (found?.format === object_format) return found
    // Another number for each copy: an earlier one may still be in use.
    const path = join(this.folder, 'repositories', String(id % 1000), `${id}-${++this.tick}.git`)
    const entry = newEntry(path, object_format)
    this.entries.set(id, entry)
    return entry
  }

  /** Single flight: whoever comes while it runs waits for it, and looks again. */
  private hydrate(ctx: Context, id: StorageId, entry: Entry): Promise<void> {
    entry.hydrating ??= this.applyWhole(ctx, id, entry).finally(() => {
      entry.hydrating = undefined
    })
    return entry.hydrating
  }

  /** A pack that is listed may be swept before it was fetched: then there is another list. A full disk is made emptier. */
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
    const { storage, stamps, refs, packs } = await readGeneration(ctx, id)
    // Before they can be seen; and whoever comes while this goes on may see the old and the new.
    for (const seen of entry.leases) for (const stamp of stamps) seen.add(stamp)
    entry.stamps = [...entry.stamps, ...stamps]
    await layOut(entry.path, storage)
    await this.linkPacks(ctx, entry, packs)
    await this.accelerators.provide(ctx, entry.path, packs)
    await writePackedRefs(entry.path, refs.length > REFS_WRITTEN_MAX ? [] : refs)
    await writeHead(entry.path, storage.head)
    entry.bytes = packs.reduce((sum, pack) => sum + pack.bytes + pack.index_bytes, 0)
    const digests = new Set(packs.map(({ digest }) => digest))
    entry.files = digests.size * SIDECARS.length
    entry.stamp = new Set(stamps).size === 1 ? storage.stamp : BETWEEN
    entry.readAt = readAt
    entry.stamps = stamps
    const gone = entry.digests.filter((digest) => !digests.has(digest))
    entry.digests = [...digests]
    await this.pool.forget(gone)
    await this.accelerators.drop(gone)
    this.counts.hydrations += 1
    this.counts.hydrationMs += performance.now() - startedAt
  }

  /** New packs are linked before old ones go, so that a process that is reading never misses an object. */
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

  /** The least recently used go first, with 0 all of them; what is in use never does. */
  private async evict(bytesMax = this.bytesMax): Promise<void> {
    let total = [...this.entries.values()].reduce((sum, entry) => sum + entry.bytes, 0)
    if (bytesMax > 0 && total + this.leftBytes <= bytesMax) return
    // What nobody has asked for since the start goes before everything else.
    if (this.leftBytes > 0) await this.sweep()
    if (bytesMax > 0 && total <= bytesMax) return
    const idle = [...this.entries].filter(([, it]) => it.leases.size === 0 && it.hydrating === undefined)
    for (const [id, entry] of idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (total <= bytesMax && bytesMax > 0) break
      // Somebody may have come for it while another one was being removed.
      if (entry.leases.size > 0) continue
      this.entries.delete(id)
      total -= entry.bytes
      await this.remove(entry)
    }
    await this.sweep()
  }

  /** Nobody is in it, and nobody will be. */
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

interface Generation {
  readonly storage: Storage
  /** Of the row before and after the others were read: equal unless pushes come faster than they can be read. */
  readonly stamps: readonly [string, string]
  readonly refs: Awaited<ReturnType<typeof listRefs>>
  readonly packs: readonly LivePack[]
}

/**
 * Refs and packs of one generation. When the stamp changed meanwhile they are read again: a copy under the stamp of the
 * generation before would be taken for that one after a failover that lost the push.
 */
async function readGeneration({ db }: Context, id: StorageId): Promise<Generation> {
  for (let tries = 1; ; tries++) {
    const storage = await getStorage(db, id)
    // Refs before packs: a push that comes in between may bring a pack too many, but never a ref without its objects.
    const refs = await listRefs(db, id, { limit: REFS_WRITTEN_MAX + 1 })
    const packs = await listLivePacks(db, id)
    const { stamp } = await getStorage(db, id)
    if (stamp === storage.stamp || tries === READ_TRIES)
      return { storage, stamps: [storage.stamp, stamp], refs, packs }
  }
}
