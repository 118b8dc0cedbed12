/**
 * Optional companions of a collected pack: its reachability bitmap, and a commit-graph with changed-path filters. They
 * only make git faster, so on any failure the repository is used without them.
 */
import { createWriteStream } from 'node:fs'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { ACCELERATORS, type Accelerator, packFile, packKey } from '../packs/keys.ts'
import type { LivePack } from '../packs/rows.ts'
import { countBytes, removeUnlinked } from './linked-files.ts'
import { endsWithOwnDigest } from './own-digest.ts'

export class PackAccelerators {
  private readonly folder: string
  /** Packs already checked: a pack published without accelerators never gets them later. */
  private readonly asked = new Set<string>()

  constructor(folder: string) {
    this.folder = folder
  }

  /** Links the accelerators of the collected pack into a repository, and removes those of an earlier pack. */
  async provide(ctx: Context, path: string, packs: readonly LivePack[]): Promise<void> {
    const collected = packs.find(({ kind }) => kind === 'gc')
    const graph = join(path, 'objects/info/commit-graph')
    if (collected === undefined) return rm(graph, { force: true })
    const { digest } = collected
    if (!this.asked.has(digest)) await this.fetch(ctx, collected)
    const bitmap = join(path, 'objects/pack', packFile(digest, 'bitmap'))
    await replace(this.path(digest, 'bitmap'), bitmap)
    await replace(this.path(digest, 'graph'), graph)
  }

  /** Adopts accelerators made on this machine: next to the pack, under the same name with other suffixes. */
  async adopt(digest: string, path: string): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    for (const accelerator of ACCELERATORS)
      await replace(`${path}.${accelerator}`, this.path(digest, accelerator))
    this.asked.add(digest)
  }

  async drop(digests: readonly string[]): Promise<void> {
    for (const digest of digests)
      for (const accelerator of ACCELERATORS) await rm(this.path(digest, accelerator), { force: true })
  }

  /** Drops the accelerators of a pack when either file fails its checksum; returns the number of packs affected. */
  async heal(digests: readonly string[]): Promise<number> {
    const damaged: string[] = []
    for (const digest of digests) if (!(await this.areWhole(digest))) damaged.push(digest)
    await this.drop(damaged)
    return damaged.length
  }

  private async areWhole(digest: string): Promise<boolean> {
    for (const accelerator of ACCELERATORS) {
      const path = this.path(digest, accelerator)
      const isThere = (await stat(path).catch(() => undefined)) !== undefined
      if (isThere && !(await endsWithOwnDigest(path))) return false
    }
    return true
  }

  countBytes(): Promise<number> {
    return countBytes(this.folder)
  }

  /** Removes accelerators that no repository links to. */
  async sweep(): Promise<void> {
    await removeUnlinked(this.folder)
    this.asked.clear()
  }

  private async fetch(ctx: Context, pack: LivePack): Promise<void> {
    const { digest } = pack
    this.asked.add(digest)
    await mkdir(this.folder, { recursive: true })
    for (const accelerator of ACCELERATORS) {
      const part = `${this.path(digest, accelerator)}.${process.pid}.part`
      try {
        if ((await stat(this.path(digest, accelerator)).catch(() => undefined)) !== undefined) continue
        const { body } = await ctx.store.read(packKey(pack, accelerator))
        await pipeline(body, createWriteStream(part))
        await rename(part, this.path(digest, accelerator))
      } catch (error) {
        await rm(part, { force: true })
        if (!(error instanceof Problem && error.kind === 'not_found'))
          ctx.log.warn({ err: error, 'git.pack': digest }, 'pack accelerator download failed')
      }
    }
  }

  private path(digest: string, accelerator: Accelerator): string {
    return join(this.folder, `${digest}.${accelerator}`)
  }
}

/** Replaces atomically, so that git sees either the old or the new file; when there is no new file, removes the old one. */
async function replace(from: string, to: string): Promise<void> {
  const part = `${to}.new`
  await rm(part, { force: true })
  const isThere = await link(from, part).then(
    () => true,
    () => false,
  )
  if (isThere) await rename(part, to)
  else await rm(to, { force: true })
}
