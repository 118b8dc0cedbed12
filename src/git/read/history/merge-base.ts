/** Where two histories part. */

import type { Context } from '#platform/context'
import { GitFailure, gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { assertOids } from '../objects/oid.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'

const TIMEOUT_MS = 30_000

/** The best common ancestor; undefined when the two have nothing in common. */
export async function findMergeBase(
  ctx: Context,
  storageId: StorageId,
  one: string,
  other: string,
): Promise<string | undefined> {
  assertOids(one, other)
  const { oid } = await cached(ctx, storageId, 'merge-base', [one, other], () =>
    withRepository(ctx, storageId, async (path) => ({ oid: await readMergeBase(ctx, path, one, other) })),
  )
  return oid
}

/** Whether everything of `ancestor` is in `descendant`. */
export async function isAncestor(
  ctx: Context,
  storageId: StorageId,
  ancestor: string,
  descendant: string,
): Promise<boolean> {
  return (await findMergeBase(ctx, storageId, ancestor, descendant)) === ancestor
}

/** The same from a repository on disk. */
export async function readMergeBase(
  ctx: Context,
  path: string,
  one: string,
  other: string,
): Promise<string | undefined> {
  const command = { name: 'merge-base', words: [one, other] }
  try {
    return (await gitText(ctx, command, { path, environment: SAFE_ENV, timeoutMs: TIMEOUT_MS })).trim()
  } catch (error) {
    // With 1 and in silence git says that there is none.
    if (error instanceof GitFailure && error.code === 1 && error.said === '') return undefined
    throw error
  }
}
