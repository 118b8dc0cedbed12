/** The commit range that a pull request covers. */
import { type Comparison, findMergeBase, findRef, HEADS, type StorageId } from '#git'
import type { Context } from '#platform/context'
import type { PullRow } from '../tables.ts'

/** Stored with the row; computed if the current head has not been checked yet. */
export async function spanOf(ctx: Context, storageId: StorageId, pull: PullRow): Promise<Comparison> {
  const { head_oid: to } = pull
  if (!pull.is_open || pull.checked_head_oid === to) return { from: pull.merge_base || null, to }
  const base = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  const from = base === undefined ? undefined : await findMergeBase(ctx, storageId, base.oid, to)
  return { from: from ?? null, to }
}
