/** Reads objects that a row names. If the store lacks one of these, its bytes are lost: only a backup has them. */
import type { Context } from '#platform/context'
import type { ReadOptions, StoredObject } from '#platform/object-store'
import { notFound, Problem } from '#platform/problem'

/**
 * `findOwner` reads the row again: what the object belongs to, for the log; undefined if no row names the object any more,
 * because it was deleted or replaced a moment ago. Then the Problem stays 'not_found'.
 */
export async function readNamed(
  ctx: Context,
  key: string,
  findOwner: () => Promise<string | undefined>,
  options: ReadOptions = {},
): Promise<StoredObject> {
  try {
    return await ctx.store.read(key, options)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'not_found')) throw error
    throw (await findLoss(ctx, key, findOwner)) ?? error
  }
}

/** For an answer without the bytes, which must fail as one with them does. */
export async function assertStored(
  ctx: Context,
  key: string,
  findOwner: () => Promise<string | undefined>,
): Promise<void> {
  if ((await ctx.store.stat(key)) !== undefined) return
  throw (await findLoss(ctx, key, findOwner)) ?? notFound('object', key)
}

async function findLoss(
  ctx: Context,
  key: string,
  findOwner: () => Promise<string | undefined>,
): Promise<Problem | undefined> {
  const owner = await findOwner()
  if (owner === undefined) return undefined
  // Logged here and not by its handlers, because a loss must be seen no matter who notices it.
  ctx.log.error({ 'object.key': key, 'object.owner': owner }, 'stored object is missing')
  ctx.telemetry.lostObjects.add(1)
  return new Problem('lost', 'stored object is missing: an administrator must restore it from a backup')
}
