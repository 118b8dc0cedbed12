/** Merges a commit into a branch, in any style. */

import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { RefPolicy } from '../../refs/policy.ts'
import type { StorageId } from '../../tables.ts'
import { getPlace, moveBranch } from '../place.ts'
import type { RefMove } from '../types.ts'
import { type MergeStyle, type PrepareOrder, prepareMerge } from './prepare-merge.ts'

export interface MergeOrder extends Omit<PrepareOrder, 'base'> {
  /** The full name of the branch to merge into. */
  readonly branch: string
  /** The expected tip of the branch: refuses when it has moved since the caller read it. */
  readonly expected?: string
}

/** The new tip, and what it was computed from. */
export interface MergeResult extends RefMove {
  /** The former tip of the branch, on which the merge was built. */
  readonly before: string
  readonly head: string
  readonly tree: string
  readonly style: MergeStyle
}

export async function merge(
  ctx: Context,
  storageId: StorageId,
  order: MergeOrder,
  policy: RefPolicy,
): Promise<MergeResult> {
  const { head, style } = order
  const place = await getPlace(ctx, storageId, { branch: order.branch })
  const before = place.start
  if (order.expected !== undefined && order.expected !== before)
    throw new Problem('conflict', 'branch was updated concurrently: fetch first', {
      expected: order.expected,
      actual: before,
    })
  const { oid, tree, written } = await prepareMerge(ctx, storageId, { ...order, base: before })
  const { ref } = await moveBranch(ctx, place, { oid, ...written }, policy)
  return { ref, before, head, oid, tree, style }
}
