/** Computes and publishes a merge on top of any commit, before any ref points to it. */

import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import { readMergeBase } from '../../read/history/merge-base.ts'
import { readHeaders } from '../../read/objects/objects.ts'
import { assertOids } from '../../read/objects/oid.ts'
import type { Person } from '../../read/objects/person.ts'
import { retryAfterHeal } from '../../read/with-repository.ts'
import { standOn } from '../../refs/basis.ts'
import type { Written } from '../../refs/move.ts'
import type { StorageId } from '../../tables.ts'
import { type Sign, writeCommit } from '../compose.ts'
import { openScratch, publishNew, type Scratch } from '../scratch.ts'
import { mergeCommits, treeOf } from './merge-trees.ts'
import { replay, type Tip } from './replay.ts'

/**
 * `merge`: a commit with both as parents. `fast-forward`: the head itself, or a refusal. `squash`: one commit with all
 * changes. `rebase`: every commit replayed onto the base. `rebase-merge`: the same, then a merge commit.
 */
export type MergeStyle = 'merge' | 'fast-forward' | 'squash' | 'rebase' | 'rebase-merge'

export interface PrepareOrder {
  /** The commit to merge into. */
  readonly base: string
  readonly head: string
  readonly style: MergeStyle
  /** For a merge commit and for a squashed one. */
  readonly message: string
  readonly author: Person
  readonly committer: Person
  /** Signs every new commit; existing commits stay unchanged. */
  readonly sign?: Sign | undefined
}

export interface PreparedMerge extends Tip {
  /** Passed to `moveRefs` by the caller that moves a ref to it. Another merge can be built on it once a ref points to it. */
  readonly written: Written
}

export function prepareMerge(
  ctx: Context,
  storageId: StorageId,
  order: PrepareOrder,
): Promise<PreparedMerge> {
  assertOids(order.base, order.head)
  return retryAfterHeal(ctx, storageId, async () => {
    await using scratch = await openScratch(ctx, storageId)
    const common = await readMergeBase(ctx, scratch.path, order.base, order.head)
    if (common === undefined) throw new Problem('conflict', 'refusing to merge unrelated histories')
    if (common === order.head) throw new Problem('conflict', 'already up to date')
    if (order.style !== 'fast-forward') return await join(ctx, scratch, order)
    if (common !== order.base) throw new Problem('conflict', 'not possible to fast-forward')
    return await take(ctx, scratch, order.head)
  })
}

/** The head unchanged: nothing is written. */
async function take(ctx: Context, scratch: Scratch, head: string): Promise<PreparedMerge> {
  const [tree] = await readHeaders(ctx, scratch.path, [`${head}^{tree}`])
  const basis = await standOn(scratch.lease, [head], [])
  return { oid: head, tree: must(tree, 'a commit has a tree').oid, written: { packs: [], basis } }
}

async function join(ctx: Context, scratch: Scratch, order: PrepareOrder): Promise<PreparedMerge> {
  const { base, head, style } = order
  const { oid, tree } = await write(ctx, scratch, order)
  // Only a merge commit keeps the head in the history; otherwise its objects are packed again and do not depend on the
  // head.
  const { packs, basis } = await publishNew(ctx, scratch, oid, style === 'merge' ? [base, head] : [base])
  return { oid, tree, written: { packs, basis } }
}

async function write(ctx: Context, scratch: Scratch, order: PrepareOrder): Promise<Tip> {
  const { base, head, style, message, author, committer, sign } = order
  const commit = async (tree: string, parents: readonly string[]): Promise<Tip> => {
    return { oid: await writeCommit(scratch, { tree, parents, author, committer, message, sign }), tree }
  }
  if (style === 'rebase' || style === 'rebase-merge') {
    const tip = await replay(ctx, scratch, { onto: base, head, committer, sign })
    return style === 'rebase' ? tip : commit(tip.tree, [base, tip.oid])
  }
  const tree = treeOf(await mergeCommits(ctx, scratch, base, head))
  return commit(tree, style === 'squash' ? [base] : [base, head])
}
