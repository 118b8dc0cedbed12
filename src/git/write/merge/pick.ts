/** Applies or reverts the change of one commit on a branch. */

import type { Context } from '#platform/context'
import { invalid, notFound, Problem } from '#platform/problem'
import { readCommits } from '../../read/objects/commit.ts'
import type { CommitRecord } from '../../read/objects/commit-object.ts'
import { assertOids, EMPTY_TREE } from '../../read/objects/oid.ts'
import type { Person } from '../../read/objects/person.ts'
import { retryAfterHeal } from '../../read/with-repository.ts'
import type { RefPolicy } from '../../refs/policy.ts'
import type { StorageId } from '../../tables.ts'
import { type Sign, writeCommit } from '../compose.ts'
import { getPlace, moveBranch, type Target } from '../place.ts'
import { type MadeObject, openScratch, publishNew, type Scratch } from '../scratch.ts'
import type { RefMove } from '../types.ts'
import { mergeTrees, treeOf } from './merge-trees.ts'

export interface PickOrder {
  readonly target: Target
  readonly commit: string
  /** The mainline parent of a merge commit, counted from 1. */
  readonly mainline?: number
  readonly sign?: Sign | undefined
}

export interface Picking {
  /** `again`: cherry-pick, from parent to commit; `back`: revert, from commit to parent. */
  readonly direction: 'again' | 'back'
  describe(picked: CommitRecord): { message: string; author: Person; committer: Person }
}

export async function pick(
  ctx: Context,
  storageId: StorageId,
  order: PickOrder,
  picking: Picking,
  policy: RefPolicy,
): Promise<RefMove> {
  assertOids(order.commit)
  const place = await getPlace(ctx, storageId, order.target)
  const made = await retryAfterHeal(ctx, storageId, () => make(ctx, storageId, place.start, order, picking))
  return moveBranch(ctx, place, made, policy)
}

async function make(
  ctx: Context,
  storageId: StorageId,
  start: string,
  order: PickOrder,
  picking: Picking,
): Promise<MadeObject> {
  await using scratch = await openScratch(ctx, storageId)
  const [picked, tip] = await readCommits(ctx, scratch.path, scratch.storage, [order.commit, start])
  if (picked === undefined || tip === undefined) throw notFound('commit', order.commit)
  const before = await treeBefore(ctx, scratch, picked, order.mainline)
  const [base, theirs] = picking.direction === 'again' ? [before, picked.tree] : [picked.tree, before]
  const tree = treeOf(await mergeTrees(ctx, scratch, { base, ours: tip.tree, theirs }))
  if (tree === tip.tree) throw new Problem('conflict', 'nothing to commit: the branch would stay as it is')
  const { sign } = order
  const oid = await writeCommit(scratch, { tree, parents: [start], ...picking.describe(picked), sign })
  return await publishNew(ctx, scratch, oid, [start])
}

async function treeBefore(
  ctx: Context,
  scratch: Scratch,
  { parents }: CommitRecord,
  mainline: number | undefined,
): Promise<string> {
  if (parents.length > 1 && mainline === undefined)
    throw invalid('commit is a merge but no mainline was given')
  const parent = parents[(mainline ?? 1) - 1]
  if (parent === undefined && (mainline ?? 1) > 1) throw invalid('commit does not have that parent')
  if (parent === undefined) return EMPTY_TREE[scratch.storage.object_format]
  const [commit] = await readCommits(ctx, scratch.path, scratch.storage, [parent])
  if (commit === undefined) throw notFound('commit', parent)
  return commit.tree
}
