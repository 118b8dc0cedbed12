/** The commit range that a pull request covers. */
import { type Comparison, countCommits, findMergeBase, findRef, HEADS, type StorageId } from '#git'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { PullRow } from '../tables.ts'

/** Stored with the row; computed if the current head has not been checked yet. */
export async function spanOf(ctx: Context, storageId: StorageId, pull: PullRow): Promise<Comparison> {
  const { head_oid: to } = pull
  if (!pull.is_open || pull.checked_head_oid === to) return { from: pull.merge_base || null, to }
  const base = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  const from = base === undefined ? undefined : await findMergeBase(ctx, storageId, base.oid, to)
  return { from: from ?? null, to }
}

/** Undefined if git cannot tell now, which must not keep the rest of a page from being shown. */
export async function countPullCommits(
  ctx: Context,
  storageId: StorageId,
  pull: PullRow,
): Promise<number | undefined> {
  try {
    const { from, to } = await spanOf(ctx, storageId, pull)
    return await countCommits(ctx, storageId, { start: to, ...(from !== null && { not: [from] }) })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
