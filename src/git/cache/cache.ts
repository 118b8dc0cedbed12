/**
 * The cache: plain bare repositories on local disk, under a byte budget. Never the truth: it can be deleted at any
 * time, by anyone. A request first reads the generation; equal means the cache is used as it is, otherwise only the
 * difference is applied, once, however many wait for it.
 */
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { AnswerCache } from '../fetch/answer-cache.ts'
import { packFile, SIDECARS } from '../packs/keys.ts'
import { type LivePack, listLivePacks } from '../packs/rows.ts'
import { listRefs } from '../refs/read.ts'
import { getStorage } from '../storage.ts'
import type { Storage } from '../tables.ts'
import { Hints } from './hints.ts'
import { PackPool } from './pack-pool.ts'

declare module '#platform/context' {
  interface World {
    readonly cache: GitCache
  }
}

/** A repository on disk, as it was at a generation. It stays until it is released. */
export interface Lease extends AsyncDisposable {
  readonly path: string
  readonly storage: Storage
}

interface Entry {
  readonly path: string
  generation: number
  /** Files of packs that must be there: anybody may delete any of them at any time. */
  files: number
  leases: number
  bytes: number
  usedAt: number
  hydrating: Promise<void> | undefined
  digests: readonly string[]
}

/** More refs than this are not written out: only shallow fetches by name would miss them. */
const REFS_WRITTEN_MAX = 50_000
/** What git needs beside packs to take a folder for a repository. */
const PARTS = ['config', 'HEAD', 'packed-refs', 'refs']

export class GitCache {
  readonly pool: PackPool
  readonly hints: Hints
  readonly answers = new AnswerCache(() => this.scratch)
  /** How leases found their repository: for metrics and tests. */
  readonly counts = { hits: 0, hydrations: 0, hydrationMs: 0 }
  private readonly folder: string
  private readonly bytesMax: number
  private readonly entries = new Map<number, Entry>()
  private tick = 0
  /** What an earlier process left in the folder, as long as nobody knows which of it is still of use. */
  private leftBytes = 0

  constructor(options: { folder: string; bytesMax: number }) {
    this.folder = options.folder
    this.bytesMax = options.bytesMax
    this.pool = new PackPool(join(options.folder, 'packs'))
    this.hints = new Hints(join(options.folder, 'hints'))
  }

  async open(): Promise<void> {
    await this.pool.open()
    // Repositories are only links: making them again is cheaper than finding out what they were.
    await rm(join(this.folder, 'repositories'), { recursive: true, force: true })
    await rm(this.scratch, { recursive: true, force: true })
    await this.makeFolders()
    this.leftBytes = (await this.pool.countBytes()) + (await this.hints.countBytes())
    await this.evict()
  }

  /** A folder on the same file system, for what is being made. */
  get scratch(): string {
    return join(this.folder, 'scratch')
  }

  /** The repository at its current generation or a later one. */
  async lease(ctx: Context, id: number): Promise<Lease> {
    const storage = await getStorage(ctx.db, id)
    const entry = this.entryOf(id)
    entry.leases += 1
    entry.usedAt = ++this.tick
    const release = async () => {
      entry.leases -= 1
      await this.evict()
    }
    try {
      await this.makeFolders()
      if (!(await isIntact(entry))) entry.generation = -1
      if (entry.generation >= storage.generation) this.counts.hits += 1
      while (entry.generation < storage.generation) await this.hydrate(ctx, id, entry)
    } catch (error) {
      await release()
      throw error
    }
    return { path: entry.path, storage, [Symbol.asyncDispose]: release }
  }

  /** Git said that something is wrong with its files: packs are held against their digests, bad ones fetched again. */
  async heal(ctx: Context, id: number): Promise<boolean> {
    const packs = await listLivePacks(ctx.db, id)
    const digests = packs.map(({ digest }) => digest)
    const damaged = await this.pool.heal(digests)
    await this.hints.drop(digests)
    const entry = this.entries.get(id)
    if (entry === undefined) return damaged > 0
    ctx.log.warn({ 'git.storage': id, 'git.damaged_packs': damaged }, 'healed the cache')
    await rm(entry.path, { recursive: true, force: true })
    entry.generation = -1
    return true
  }

  /** Whoever deleted the cache may have deleted its folders, too. */
  private async makeFolders(): Promise<void> {
    await mkdir(this.scratch, { recursive: true })
    await this.pool.makeFolder()
  }

  private entryOf(id: number): Entry {
    const found = this.entries.get(id)
    if (found !== undefined) return found
    const path = join(this.folder, 'repositories', String(id % 1000), `${id}.git`)
    const entry: Entry = {
      path,
      generation: -1,
      files: 0,
      leases: 0,
      bytes: 0,
      usedAt: 0,
      hydrating: undefined,
      digests: [],
    }
    this.entries.set(id, entry)
    return entry
  }

  /** Single flight: whoever comes while it runs waits for it, and looks again. */
  private hydrate(ctx: Context, id: number, entry: Entry): Promise<void> {
    entry.hydrating ??= this.apply(ctx, id, entry).finally(() => {
      entry.hydrating = undefined
    })
    return entry.hydrating
  }

  private async apply(ctx: Context, id: number, entry: Entry): Promise<void> {
    const startedAt = performance.now()
    // The generation is read before what it stands for: at worst the cache is newer than it thinks.
    const storage = await getStorage(ctx.db, id)
    // Refs before packs: a push that comes in between may bring a pack too many, but never a ref without its objects.
    const refs = await listRefs(ctx.db, id, { limit: REFS_WRITTEN_MAX + 1 })
    const packs = await listLivePacks(ctx.db, id)
    await layOut(entry.path, storage)
    await this.linkPacks(ctx, entry.path, packs)
    await this.hints.provide(ctx, entry.path, packs)
    await writePackedRefs(entry.path, refs.length > REFS_WRITTEN_MAX ? [] : refs)
    await writeAtomically(join(entry.path, 'HEAD'), `ref: ${storage.head}\n`)
    entry.bytes = packs.reduce((sum, pack) => sum + pack.bytes + pack.index_bytes, 0)
    entry.files = packs.length * SIDECARS.length
    entry.generation = storage.generation
    const digests = packs.map(({ digest }) => digest)
    const gone = entry.digests.filter((digest) => !digests.includes(digest))
    await this.pool.forget(gone)
    await this.hints.drop(gone)
    entry.digests = digests
    this.counts.hydrations += 1
    this.counts.hydrationMs += performance.now() - startedAt
  }

  /** New packs are linked before old ones go, so that a process that is reading never misses an object. */
  private async linkPacks(ctx: Context, path: string, packs: readonly LivePack[]): Promise<void> {
    const folder = join(path, 'objects/pack')
    const present = new Set(await readdir(folder))
    const wanted = new Set(
      packs.flatMap(({ digest }) => [...SIDECARS, 'bitmap' as const].map((it) => packFile(digest, it))),
    )
    for (const pack of packs)
      if (SIDECARS.some((it) => !present.has(packFile(pack.digest, it))))
        await this.pool.provide(ctx, pack, folder)
    for (const name of present) if (!wanted.has(name)) await rm(join(folder, name), { force: true })
  }

  /** The least recently used go first; what is in use never does. */
  private async evict(): Promise<void> {
    let total = [...this.entries.values()].reduce((sum, entry) => sum + entry.bytes, 0)
    if (total + this.leftBytes <= this.bytesMax) return
    // What nobody has asked for since the start goes before everything else.
    if (this.leftBytes > 0) await this.sweep()
    if (total <= this.bytesMax) return
    const idle = [...this.entries].filter(([, it]) => it.leases === 0 && it.hydrating === undefined)
    for (const [id, entry] of idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (total <= this.bytesMax) break
      // Somebody may have come for it while another one was being removed.
      if (entry.leases > 0) continue
      this.entries.delete(id)
      total -= entry.bytes
      const doomed = join(this.scratch, `evicted-${id}-${++this.tick}`)
      await rename(entry.path, doomed).catch(() => undefined)
      await rm(doomed, { recursive: true, force: true })
    }
    await this.sweep()
  }

  private async sweep(): Promise<void> {
    this.leftBytes = 0
    await this.pool.sweep()
    await this.hints.sweep()
  }
}

async function isIntact(entry: Entry): Promise<boolean> {
  const names = await readdir(entry.path).catch((): string[] => [])
  const packs = await readdir(join(entry.path, 'objects/pack')).catch(() => undefined)
  return PARTS.every((part) => names.includes(part)) && isWhole(packs, entry.files)
}

/** A bitmap more does not make up for an index less. */
function isWhole(names: readonly string[] | undefined, files: number): boolean {
  return names !== undefined && names.filter((name) => !name.endsWith('.bitmap')).length >= files
}

/** An empty bare repository. */
export async function layOut(path: string, storage: Pick<Storage, 'object_format' | 'head'>): Promise<void> {
  for (const folder of ['objects/pack', 'objects/info', 'refs'])
    await mkdir(join(path, folder), { recursive: true })
  if (await stat(join(path, 'config')).catch(() => undefined)) return
  const format =
    storage.object_format === 'sha1'
      ? '\trepositoryformatversion = 0\n'
      : '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n'
  await writeAtomically(join(path, 'HEAD'), `ref: ${storage.head}\n`)
  await writeAtomically(join(path, 'config'), `[core]\n\tbare = true\n${format}`)
}

async function writePackedRefs(
  path: string,
  refs: readonly { name: string; oid: string; peeled_oid: string | null }[],
) {
  const lines = refs.map(
    ({ name, oid, peeled_oid }) => `${oid} ${name}\n${peeled_oid === null ? '' : `^${peeled_oid}\n`}`,
  )
  await writeAtomically(
    join(path, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
  )
}

async function writeAtomically(path: string, text: string): Promise<void> {
  const part = `${path}.new`
  await writeFile(part, text)
  await rename(part, path)
}
