/** Merging a commit into a branch, in any of the ways people like. */

import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { RefPolicy } from '../../refs/policy.ts'
import type { StorageId } from '../../tables.ts'
import { getPlace, moveBranch } from '../place.ts'
import type { RefMove } from '../types.ts'
import { type MergeStyle, type PrepareOrder, prepareMerge } from './prepare-merge.ts'

export interface MergeOrder extends Omit<PrepareOrder, 'base'> {
  /** The whole name of the branch that grows. */
  readonly branch: string
  /** What the branch must be: whoever looked at it before means that and nothing else. */
  readonly expected?: string
}

/** What landed, and what it was computed from. */
export interface MergeResult extends RefMove {
  /** What the branch was, which is what was built upon. */
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
