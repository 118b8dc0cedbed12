/** Replays commits onto another one: a rebase, with one three-way merge for each commit. */

import type { Context } from '#platform/context'
import { must } from '#platform/must'
import { Problem } from '#platform/problem'
import { gitText } from '../../command/run.ts'
import { readCommits } from '../../read/objects/commit.ts'
import type { CommitRecord } from '../../read/objects/commit-object.ts'
import { EMPTY_TREE } from '../../read/objects/oid.ts'
import { SAFE_ENV } from '../../read/with-repository.ts'
import { type NewCommit, writeCommit } from '../compose.ts'
import type { Scratch } from '../scratch.ts'
import { mergeTrees, treeOf } from './merge-trees.ts'

export interface Tip {
  readonly oid: string
  readonly tree: string
}

/** Committer and signer of replayed commits; authors stay. */
type Maker = Pick<NewCommit, 'committer' | 'sign'>

const REPLAYED_MAX = 500
const LIST_TIMEOUT_MS = 30_000

/** Replays every commit reachable from `head` and not from `onto`, oldest first, without merges. */
export async function replay(
  ctx: Context,
  scratch: Scratch,
  order: { readonly onto: string; readonly head: string } & Maker,
): Promise<Tip> {
  const commits = await readWhole(ctx, scratch, await listMissing(ctx, scratch, order.onto, order.head))
  const parents = commits.flatMap((commit) => commit.parents.slice(0, 1))
  const known = await readWhole(ctx, scratch, [...new Set([order.onto, ...parents])])
  const trees = new Map(known.map(({ oid, tree }) => [oid, tree]))
  const treeOf = (oid: string) => must(trees.get(oid), 'git has read every commit that it was asked for')
  let tip: Tip = { oid: order.onto, tree: treeOf(order.onto) }
  for (const commit of commits) {
    const parent = commit.parents[0]
    const base = parent === undefined ? EMPTY_TREE[scratch.storage.object_format] : treeOf(parent)
    tip = parent === tip.oid ? commit : await replayOne(ctx, scratch, commit, { base, tip }, order)
  }
  return tip
}

async function replayOne(
  ctx: Context,
  scratch: Scratch,
  commit: CommitRecord,
  { base, tip }: { base: string; tip: Tip },
  { committer, sign }: Maker,
): Promise<Tip> {
  const tree = treeOf(await mergeTrees(ctx, scratch, { base, ours: tip.tree, theirs: commit.tree }))
  // A change that the other side already has is skipped; an intentionally empty commit stays.
  if (tree === tip.tree && commit.tree !== base) return tip
  const { author, message } = commit
  const parents = [tip.oid]
  return { oid: await writeCommit(scratch, { tree, parents, author, committer, message, sign }), tree }
}

async function listMissing(ctx: Context, scratch: Scratch, onto: string, head: string): Promise<string[]> {
  const flags = ['--reverse', '--topo-order', '--no-merges'] as const
  const command = { name: 'rev-list', flags, words: [head, `^${onto}`] }
  const options = { path: scratch.path, environment: SAFE_ENV, timeoutMs: LIST_TIMEOUT_MS }
  const oids = (await gitText(ctx, command, options)).split('\n').filter((line) => line !== '')
  if (oids.length > REPLAYED_MAX) throw new Problem('too_large', 'too many commits to rebase')
  return oids
}

/** A truncated commit cannot be replayed. */
async function readWhole(ctx: Context, scratch: Scratch, oids: readonly string[]): Promise<CommitRecord[]> {
  const commits = await readCommits(ctx, scratch.path, scratch.storage, oids)
  return commits.map((commit) => {
    if (!commit?.isWhole) throw new Problem('too_large', 'commit is too large to rebase')
    return commit
  })
}
