/** Merging a commit into a branch, in any of the ways people like. */

import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { readMergeBase } from '../../read/history/merge-base.ts'
import { assertOids } from '../../read/objects/oid.ts'
import type { Person } from '../../read/objects/person.ts'
import { retryAfterHeal } from '../../read/with-repository.ts'
import { standOn } from '../../refs/basis.ts'
import type { RefPolicy } from '../../refs/policy.ts'
import type { StorageId } from '../../tables.ts'
import { writeCommit } from '../compose.ts'
import { getPlace, moveBranch } from '../place.ts'
import { type MadeObject, openScratch, publishNew, type Scratch } from '../scratch.ts'
import type { RefMove } from '../types.ts'
import { mergeCommits, treeOf } from './merge-trees.ts'
import { replay } from './replay.ts'

/**
 * `merge`: a commit with both as parents. `fast-forward`: the branch moves to the head or not at all. `squash`: one
 * commit with all changes. `rebase`: every commit again upon the branch. `rebase-merge`: the same, then a merge commit.
 */
export type MergeStyle = 'merge' | 'fast-forward' | 'squash' | 'rebase' | 'rebase-merge'

export interface MergeOrder {
  /** The whole name of the branch that grows. */
  readonly branch: string
  /** What the branch must be: whoever looked at it before means that and nothing else. */
  readonly expected?: string
  readonly head: string
  readonly style: MergeStyle
  /** For a merge commit and for a squashed one. */
  readonly message: string
  readonly author: Person
  readonly committer: Person
}

export async function merge(
  ctx: Context,
  storageId: StorageId,
  order: MergeOrder,
  policy: RefPolicy,
): Promise<RefMove> {
  assertOids(order.head)
  const place = await getPlace(ctx, storageId, { branch: order.branch })
  if (order.expected !== undefined && order.expected !== place.start)
    throw new Problem('conflict', 'branch was updated concurrently: fetch first', {
      expected: order.expected,
      actual: place.start,
    })
  const made = await retryAfterHeal(ctx, storageId, () => make(ctx, storageId, place.start, order))
  return moveBranch(ctx, place, made, policy)
}

async function make(
  ctx: Context,
  storageId: StorageId,
  base: string,
  order: MergeOrder,
): Promise<MadeObject> {
  await using scratch = await openScratch(ctx, storageId)
  const common = await readMergeBase(ctx, scratch.path, base, order.head)
  if (common === undefined) throw new Problem('conflict', 'refusing to merge unrelated histories')
  if (common === order.head) throw new Problem('conflict', 'already up to date')
  if (order.style === 'fast-forward') {
    if (common === base)
      return { oid: order.head, packs: [], basis: await standOn(scratch.lease, [order.head], []) }
    throw new Problem('conflict', 'not possible to fast-forward')
  }
  const oid = await join(ctx, scratch, base, order)
  // Only a merge keeps the head in the history; else its objects are packed again, and need nobody else's keeping.
  const known = order.style === 'merge' ? [base, order.head] : [base]
  return await publishNew(ctx, scratch, oid, known)
}

async function join(ctx: Context, scratch: Scratch, base: string, order: MergeOrder): Promise<string> {
  const { head, style, message, author, committer } = order
  if (style === 'rebase' || style === 'rebase-merge') {
    const tip = await replay(ctx, scratch, { onto: base, head, committer })
    if (style === 'rebase') return tip.oid
    return writeCommit(scratch, { tree: tip.tree, parents: [base, tip.oid], author, committer, message })
  }
  const tree = treeOf(await mergeCommits(ctx, scratch, base, head))
  const parents = style === 'squash' ? [base] : [base, head]
  return writeCommit(scratch, { tree, parents, author, committer, message })
}
