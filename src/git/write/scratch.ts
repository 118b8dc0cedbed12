/** A throw-away repository to write objects in; objects to keep are published as a pack. */
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
  /** The lease it borrows objects from. */
  readonly lease: Lease
}

/** The new object, with the packs written for it. */
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
 * Packs and publishes what `wanted` reach and `known` do not, and nothing else that was packed meanwhile. No pack when
 * there is nothing.
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

/** Publishes the packs of a scratch repository; a ref will point to `oid`. */
export async function publishMade(ctx: Context, scratch: Scratch, oid: string): Promise<MadeObject> {
  return { oid, ...(await publishAll(ctx, scratch, [oid])) }
}

/** After git has checked the objects as for a push. */
async function publishAll(ctx: Context, scratch: Scratch, wanted: readonly string[]): Promise<Written> {
  const folder = join(scratch.path, 'objects/pack')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.pack'))
  for (const name of names) await checkPack(ctx, scratch, join(folder, name))
  const packs = await publishPacks(ctx, scratch.path, { kind: 'write', wanted })
  return { packs, basis: await standOn(scratch.lease, wanted, packs) }
}

/** Git's messages about an unsound object: `object <id>: <message id>: …`, or `fsck error` for a whole pack. */
const UNSOUND = /^(?:error|fatal): (?:object [0-9a-f]{40,64}: |fsck error)/m

/**
 * With the severities of a push, which are git's defaults. Objects referenced from the pack must exist, too. The existing
 * index is verified and not written again.
 */
async function checkPack(ctx: Context, scratch: Scratch, pack: string): Promise<void> {
  const flags = ['--verify', '--strict', '--threads=1'] as const
  // `index-pack` has no `--end-of-options`; our own path never begins with a dash.
  const command = { name: 'index-pack', flags, repository: pack }
  try {
    await gitText(ctx, command, { path: scratch.path, environment: SAFE_ENV, timeoutMs: PACK_TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof GitFailure) || !UNSOUND.test(error.said)) throw error
    throw invalid('git fsck failed', { said: error.said })
  }
}
