/** A throw-away repository to write objects in; what is worth keeping leaves it as a pack. */
import { join } from 'node:path'
import type { Context } from '#platform/context'
import type { Lease } from '../cache/cache.ts'
import { gitText } from '../command/run.ts'
import { publishPacks } from '../packs/publish.ts'
import { standOn } from '../push/basis.ts'
import { borrow } from '../push/borrowed-repository.ts'
import type { Written } from '../push/commit.ts'
import { PLAINLY } from '../read/ask.ts'
import type { Storage } from '../tables.ts'

export interface Scratch extends AsyncDisposable {
  readonly path: string
  readonly storage: Storage
  /** What it borrows from. */
  readonly lease: Lease
}

/** The object that was made, with what was written for it. */
export interface Made extends Written {
  readonly oid: string
}

const PACK_TIMEOUT_MS = 300_000

export async function openScratch(ctx: Context, storageId: number): Promise<Scratch> {
  await using opening = new AsyncDisposableStack()
  const lease = opening.use(await ctx.cache.lease(ctx, storageId))
  const { path } = opening.use(await borrow(ctx, lease))
  const opened = opening.move()
  return { path, storage: lease.storage, lease, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Packs and publishes what `wanted` reaches and `known` does not. No pack when that is nothing. */
export async function publishNew(
  ctx: Context,
  scratch: Scratch,
  wanted: string,
  known: readonly string[],
): Promise<Made> {
  const command = {
    name: 'pack-objects',
    flags: ['--revs', '--delta-base-offset', '--non-empty', '--quiet'] as const,
    words: [join(scratch.path, 'objects/pack/pack')],
  }
  const input = [wanted, ...known.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('')
  const options = { path: scratch.path, input, environment: PLAINLY, timeoutMs: PACK_TIMEOUT_MS }
  await gitText(ctx, command, options)
  return publishMade(ctx, scratch, wanted)
}

/** Publishes the packs that lie in a scratch repository; `oid` is what a ref will point to. */
export async function publishMade(ctx: Context, scratch: Scratch, oid: string): Promise<Made> {
  const packs = await publishPacks(ctx, scratch.path, { kind: 'write', wanted: [oid] })
  return { oid, packs, basis: await standOn(scratch.lease, [oid], packs) }
}
