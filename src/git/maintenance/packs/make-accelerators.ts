/** Makes the accelerators of a collected pack: its bitmap already exists, its commit-graph is written here. */
import { createReadStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { runGit } from '../../command/run.ts'
import { ACCELERATORS, packKey } from '../../packs/keys.ts'
import type { PublishedPack } from '../../packs/publish.ts'
import { MAINTENANCE_TIMEOUT_MS } from '../limits.ts'
import { inScratch, type Scratch } from '../scratch.ts'

/** With changed-path filters, so that the history of a file is found without reading every tree. */
export async function writeGraph(ctx: Context, scratch: Scratch, pack: string): Promise<void> {
  const flags = ['--reachable', '--changed-paths', '--no-progress'] as const
  await inScratch(ctx, scratch, () =>
    runGit(
      ctx,
      { name: 'commit-graph', verb: 'write', flags },
      { path: scratch.path, timeoutMs: MAINTENANCE_TIMEOUT_MS },
    ),
  )
  await rename(join(scratch.path, 'objects/info/commit-graph'), `${pack}.graph`).catch(ignoreMissing)
}

/** Uploads while the pack's `git_pack_unnamed` row exists, so that the sweeper finds the accelerators with the pack. */
export async function publishAccelerators(ctx: Context, pack: PublishedPack, path: string): Promise<void> {
  for (const accelerator of ACCELERATORS) {
    const file = `${path}.${accelerator}`
    const found = await stat(file).catch(ignoreMissing)
    if (found !== undefined)
      await ctx.store.create(packKey(pack, accelerator), createReadStream(file), {
        bytes: found.size,
        signal: ctx.signal,
      })
  }
  await ctx.cache.accelerators.adopt(pack.digest, path)
}

/** Without commits there is neither a commit-graph nor a bitmap. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
