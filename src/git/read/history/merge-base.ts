/** Merge bases. */

import type { Context } from '#platform/context'
import { GitFailure, gitText } from '../../command/run.ts'
import type { StorageId } from '../../tables.ts'
import { cached } from '../cached.ts'
import { assertOids } from '../objects/oid.ts'
import { SAFE_ENV, withRepository } from '../with-repository.ts'

const TIMEOUT_MS = 30_000

/** The best common ancestor; undefined for unrelated histories. */
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

/** Whether `ancestor` is reachable from `descendant`. */
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
    // Git exits with 1 and no message when there is no merge base.
    if (error instanceof GitFailure && error.code === 1 && error.said === '') return undefined
    throw error
  }
}
