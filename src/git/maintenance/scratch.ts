/** A throw-away repository of a few packs, linked from the pool, in which git may do anything. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '#platform/context'
import { layOut } from '../cache/bare-repository.ts'
import type { Flag } from '../command/command.ts'
import { GitFailure, gitText } from '../command/run.ts'
import type { LivePack } from '../packs/rows.ts'
import type { Storage } from '../tables.ts'
import { MAINTENANCE_TIMEOUT_MS, PACKING } from './limits.ts'

export interface Scratch extends AsyncDisposable {
  readonly path: string
  readonly packs: readonly LivePack[]
}

export async function openScratch(
  ctx: Context,
  storage: Storage,
  packs: readonly LivePack[],
): Promise<Scratch> {
  const path = join(ctx.cache.scratch, `care-${randomUUID()}.git`)
  const dispose = () => rm(path, { recursive: true, force: true })
  try {
    await layOut(path, storage)
    for (const pack of packs) await ctx.cache.pool.provide(ctx, pack, join(path, 'objects/pack'))
  } catch (error) {
    await dispose()
    throw error
  }
  return { path, packs, [Symbol.asyncDispose]: dispose }
}

/** Packs the objects that `input` names. Returns the path without suffix, or undefined when there were no objects. */
export async function makePack(
  ctx: Context,
  scratch: Scratch,
  flags: readonly Flag[],
  input: string,
): Promise<string | undefined> {
  const base = join(scratch.path, 'objects/pack/pack')
  const name = await inScratch(ctx, scratch, () =>
    gitText(
      ctx,
      {
        name: 'pack-objects',
        flags: [...flags, '--delta-base-offset', '--non-empty', '--quiet'],
        words: [base],
        settings: PACKING,
      },
      { path: scratch.path, input, timeoutMs: MAINTENANCE_TIMEOUT_MS },
    ),
  )
  return name.trim() === '' ? undefined : `${base}-${name.trim()}`
}

/** The cache may be corrupt: when git fails, the packs are checked against their digests, so that a retry has good packs. */
export async function inScratch<T>(ctx: Context, scratch: Scratch, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof GitFailure) await ctx.cache.pool.heal(scratch.packs.map(({ digest }) => digest))
    throw error
  }
}
