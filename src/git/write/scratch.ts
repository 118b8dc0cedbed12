/** A throw-away repository to write objects in; what is worth keeping leaves it as a pack. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { invalid } from '#platform/problem'
import type { Lease } from '../cache/cache.ts'
import { GitFailure, gitText } from '../command/run.ts'
import { publishPacks } from '../packs/publish.ts'
import { borrow } from '../push/borrowed-repository.ts'
import { SAFE_ENV } from '../read/with-repository.ts'
import { standOn } from '../refs/basis.ts'
import type { Written } from '../refs/move.ts'
import type { Storage, StorageId } from '../tables.ts'

export interface Scratch extends AsyncDisposable {
  readonly path: string
  readonly storage: Storage
  /** What it borrows from. */
  readonly lease: Lease
}

/** The object that was made, with what was written for it. */
export interface MadeObject extends Written {
  readonly oid: string
}

const PACK_TIMEOUT_MS = 300_000

export async function openScratch(ctx: Context, storageId: StorageId): Promise<Scratch> {
  await using opening = new AsyncDisposableStack()
  const lease = opening.use(await ctx.cache.lease(ctx, storageId))
  const { path } = opening.use(await borrow(ctx, lease))
  const opened = opening.move()
  return { path, storage: lease.storage, lease, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export async function publishNew(
  ctx: Context,
  scratch: Scratch,
  wanted: string,
  known: readonly string[],
): Promise<MadeObject> {
  return { oid: wanted, ...(await publishReached(ctx, scratch, [wanted], known)) }
}

/**
 * Packs and publishes what `wanted` reach and `known` do not, and nothing of what else was packed on the way. No pack when
 * that is nothing.
 */
export async function publishReached(
  ctx: Context,
  scratch: Scratch,
  wanted: readonly string[],
  known: readonly string[],
): Promise<Written> {
  const folder = join(scratch.path, 'objects/pack')
  const others = await readdir(folder)
  const command = {
    name: 'pack-objects',
    flags: ['--revs', '--delta-base-offset', '--non-empty', '--quiet'] as const,
    words: [join(folder, 'pack')],
  }
  const input = [...wanted, ...known.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('')
  const options = { path: scratch.path, input, environment: SAFE_ENV, timeoutMs: PACK_TIMEOUT_MS }
  await gitText(ctx, command, options)
  for (const name of others) await rm(join(folder, name))
  return publishAll(ctx, scratch, wanted)
}

/** Publishes the packs of a scratch repository; `oid` is what a ref will point to. */
export async function publishMade(ctx: Context, scratch: Scratch, oid: string): Promise<MadeObject> {
  return { oid, ...(await publishAll(ctx, scratch, [oid])) }
}

/** Once git has looked at their objects as it does for a push. */
async function publishAll(ctx: Context, scratch: Scratch, wanted: readonly string[]): Promise<Written> {
  const folder = join(scratch.path, 'objects/pack')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pack'))
  for (const name of names) await checkPack(ctx, scratch, join(folder, name))
  const packs = await publishPacks(ctx, scratch.path, { kind: 'write', wanted })
  return { packs, basis: await standOn(scratch.lease, wanted, packs) }
}

/** How git calls what it finds wrong with an object: `object <id>: <message id>: …`, or of a whole pack `fsck error`. */
const UNSOUND = /^(?:error|fatal): (?:object [0-9a-f]{40,64}: |fsck error)/m

/**
 * With the severities of a push, which are git's own. What follows an object of the pack must be there, too. The index
 * that lies beside the pack is held against it and not written again.
 */
async function checkPack(ctx: Context, scratch: Scratch, pack: string): Promise<void> {
  const flags = ['--verify', '--strict', '--threads=1'] as const
  // It knows no end of options; a path of ours begins with no dash.
  const command = { name: 'index-pack', flags, repository: pack }
  try {
    await gitText(ctx, command, { path: scratch.path, environment: SAFE_ENV, timeoutMs: PACK_TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof GitFailure) || !UNSOUND.test(error.said)) throw error
    throw invalid('git fsck failed', { said: error.said })
  }
}
