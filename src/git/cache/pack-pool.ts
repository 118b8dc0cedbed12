/**
 * Packs on this machine: each downloaded once, verified by its digest, and hard-linked into every repository that has
 * it. Never authoritative: a file may vanish or rot at any time, and is downloaded again.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '#platform/context'
import { packFile, SIDECARS, type Sidecar } from '../packs/keys.ts'
import type { LivePack } from '../packs/rows.ts'
import { countBytes, removeUnlinked } from './linked-files.ts'
import { endsWithOwnDigest } from './own-digest.ts'
import { readPack } from './read-pack.ts'

/** Eviction may remove a pack between its download and its link. */
const PROVIDE_TRIES = 3

export class PackPool {
  readonly counts = { downloads: 0 }
  private readonly folder: string
  private readonly underWay = new Map<string, Promise<void>>()

  constructor(folder: string) {
    this.folder = folder
  }

  async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true })
  }

  async open(): Promise<void> {
    await this.makeFolder()
    // Partial downloads of an earlier process are useless.
    for (const name of await readdir(this.folder))
      if (name.endsWith('.part')) await rm(join(this.folder, name))
  }

  /** Links a pack into a repository; downloads it first if missing, once for all concurrent callers. */
  async provide(ctx: Context, pack: LivePack, target: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      if (!(await this.has(pack))) await this.download(ctx, pack)
      try {
        return await this.linkInto(target, pack.digest)
      } catch (error) {
        if (tries === PROVIDE_TRIES || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }

  /** Adopts a pack made on this machine, so that it need not be downloaded. */
  async adopt(digest: string, path: string): Promise<void> {
    for (const sidecar of SIDECARS)
      await link(`${path}.${sidecar}`, this.path(digest, sidecar)).catch(ignoreExisting)
  }

  /** Drops packs whose bytes do not match their digests; returns how many. */
  async heal(digests: readonly string[]): Promise<number> {
    let damaged = 0
    for (const digest of digests) {
      if (await this.isWhole(digest)) continue
      damaged += 1
      await this.drop(digest)
    }
    return damaged
  }

  /** Drops packs that a repository no longer has, unless another repository links to them. */
  async forget(digests: readonly string[]): Promise<void> {
    for (const digest of digests) {
      const found = await stat(this.path(digest, 'pack')).catch(() => undefined)
      if (found?.nlink === 1) await this.drop(digest)
    }
  }

  countBytes(): Promise<number> {
    return countBytes(this.folder)
  }

  /** Removes packs that no repository links to. */
  sweep(): Promise<void> {
    return removeUnlinked(this.folder)
  }

  /** The index last: git discovers packs by their indexes. */
  private async linkInto(target: string, digest: string): Promise<void> {
    for (const sidecar of SIDECARS)
      await link(this.path(digest, sidecar), join(target, packFile(digest, sidecar))).catch(ignoreExisting)
  }

  private async has(pack: LivePack): Promise<boolean> {
    const sizes = { pack: pack.bytes, idx: pack.index_bytes }
    for (const sidecar of SIDECARS) {
      const found = await stat(this.path(pack.digest, sidecar)).catch(() => undefined)
      if (found?.size !== sizes[sidecar]) return false
    }
    return true
  }

  private download(ctx: Context, pack: LivePack): Promise<void> {
    const current = this.underWay.get(pack.digest)
    if (current !== undefined) return current
    this.counts.downloads += 1
    const started = this.fetch(ctx, pack).finally(() => this.underWay.delete(pack.digest))
    this.underWay.set(pack.digest, started)
    return started
  }

  /** Other requests may wait for this download, so it does not stop when the request that started it aborts. */
  private async fetch(ctx: Context, pack: LivePack): Promise<void> {
    const { digest } = pack
    for (const sidecar of SIDECARS) {
      const path = this.path(digest, sidecar)
      const part = `${path}.${process.pid}.part`
      const hash = createHash('sha256')
      try {
        const { body } = await readPack(ctx, pack, sidecar)
        await pipeline(body, tee(hash), createWriteStream(part))
        if (sidecar === 'pack' && hash.digest('hex') !== digest) throw new Error('pack checksum mismatch')
        await rename(part, path)
      } catch (error) {
        // The partial file would keep a full disk full.
        await rm(part, { force: true })
        throw error
      }
    }
  }

  private async isWhole(digest: string): Promise<boolean> {
    const hash = createHash('sha256')
    const isRead = await pipeline(createReadStream(this.path(digest, 'pack')), hash).then(
      () => true,
      () => false,
    )
    return isRead && hash.digest('hex') === digest && (await endsWithOwnDigest(this.path(digest, 'idx')))
  }

  private async drop(digest: string): Promise<void> {
    for (const sidecar of SIDECARS) await rm(this.path(digest, sidecar), { force: true })
  }

  private path(digest: string, sidecar: Sidecar): string {
    return join(this.folder, `${digest}.${sidecar}`)
  }
}

function tee(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
