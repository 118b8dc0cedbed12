/** A throw-away repository to write objects in; what is worth keeping leaves it as a pack. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { gitText } from '../command/run.ts'
import { type PublishedPack, publishPack } from '../packs/publish.ts'
import { borrow } from '../push/borrowed-repository.ts'
import { PLAINLY } from '../read/ask.ts'
import type { Storage } from '../tables.ts'

export interface Scratch extends AsyncDisposable {
  readonly path: string
  readonly storage: Storage
}

const PACK_TIMEOUT_MS = 300_000

export async function openScratch(ctx: Context, storageId: number): Promise<Scratch> {
  await using opening = new AsyncDisposableStack()
  const lease = opening.use(await ctx.cache.lease(ctx, storageId))
  const { path } = opening.use(await borrow(ctx, lease))
  const opened = opening.move()
  return { path, storage: lease.storage, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Packs and publishes what `wanted` reaches and `known` does not. No pack when that is nothing. */
export async function publishNew(
  ctx: Context,
  scratch: Scratch,
  wanted: string,
  known: readonly string[],
): Promise<PublishedPack[]> {
  const command = {
    name: 'pack-objects',
    flags: ['--revs', '--delta-base-offset', '--non-empty', '--quiet'] as const,
    words: [join(scratch.path, 'objects/pack/pack')],
  }
  const input = [wanted, ...known.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('')
  const options = { path: scratch.path, input, environment: PLAINLY, timeoutMs: PACK_TIMEOUT_MS }
  await gitText(ctx, command, options)
  return publishPacks(ctx, scratch)
}

/** Publishes the packs that lie in the scratch repository. */
export async function publishPacks(ctx: Context, scratch: Scratch): Promise<PublishedPack[]> {
  const folder = join(scratch.path, 'objects/pack')
  const packs: PublishedPack[] = []
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.pack')) continue
    const file = join(folder, name.slice(0, -'.pack'.length))
    const pack = await publishPack(ctx, scratch.storage.id, file, 'write')
    // It need not be downloaded here: the bytes are on this disk already.
    await ctx.cache.pool.adopt(pack.digest, file)
    packs.push(pack)
  }
  return packs
}
