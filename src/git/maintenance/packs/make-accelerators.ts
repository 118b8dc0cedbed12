/** Makes what goes with a collected pack: its bitmap is there already, its graph of commits is written here. */
import { createReadStream } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { runGit } from '../../command/run.ts'
import { ACCELERATORS, packKey } from '../../packs/keys.ts'
import type { PublishedPack } from '../../packs/publish.ts'
import { MAINTENANCE_TIMEOUT_MS } from '../limits.ts'
import { inScratch, type Scratch } from '../scratch.ts'

/** With the paths that each commit changed, so that the history of a file is found without reading every tree. */
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

/** While the announcement of the pack stands, so that the sweeper finds them with it. */
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

/** Where there are no commits, there is no graph and no bitmap of them. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
