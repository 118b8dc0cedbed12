/** Whether two commits merge, and if not, which files conflict. The result is discarded. */

import type { Context } from '#platform/context'
import { cached } from '../../read/cached.ts'
import { findMergeBase } from '../../read/history/merge-base.ts'
import { assertOids } from '../../read/objects/oid.ts'
import { retryAfterHeal } from '../../read/with-repository.ts'
import type { StorageId } from '../../tables.ts'
import { openScratch } from '../scratch.ts'
import { type Merged, mergeCommits } from './merge-trees.ts'

export type MergeCheck = Merged | { readonly kind: 'merged' | 'unrelated' }

/** `merged`: `head` is already reachable from `base`. `unrelated`: they have no common ancestor. */
export function checkMerge(
  ctx: Context,
  storageId: StorageId,
  base: string,
  head: string,
): Promise<MergeCheck> {
  assertOids(base, head)
  return cached<MergeCheck>(ctx, storageId, 'merge', [base, head], async () => {
    const common = await findMergeBase(ctx, storageId, base, head)
    if (common === undefined) return { kind: 'unrelated' }
    if (common === head) return { kind: 'merged' }
    return retryAfterHeal(ctx, storageId, async () => {
      await using scratch = await openScratch(ctx, storageId)
      return await mergeCommits(ctx, scratch, base, head)
    })
  })
}
