/** A throw-away repository to write objects in; what is worth keeping leaves it as a pack. */
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { gitText } from '../command/run.ts'
import { type PublishedPack, publishPacks } from '../packs/publish.ts'
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
  return publishPacks(ctx, scratch.storage.id, scratch.path, 'write')
}
