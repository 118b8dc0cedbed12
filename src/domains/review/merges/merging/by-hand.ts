/** Marks a pull request as manually merged with a commit that is already in the base branch. Moves no ref. */

import { getStorageId } from '#domains/code/repositories'
import { type HeldPull, holdPull, markMerged, type PullRow } from '#domains/review/pulls'
import {
  type CommitRecord,
  findCommit,
  findRef,
  HEADS,
  isAncestor,
  isOid,
  lockStorage,
  type StorageId,
} from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { insertMerge } from '../store.ts'
import { type MergeTarget, openMergeTarget } from './merge-target.ts'

interface Found {
  readonly storageId: StorageId
  /** Tip of the base branch, which contains the commit. */
  readonly tip: string
  readonly commit: CommitRecord
}

/** Refuses a commit that is not in the base branch; nothing else about a manual merge can be verified. */
export async function markByHand(
  ctx: Context,
  pull: PullRow,
  { repo }: MergeTarget,
  commit: string,
): Promise<void> {
  const found = await findInBase(ctx, repo.storage_id, pull, commit)
  if (found === undefined) throw new Problem('conflict', 'base branch does not have this commit', { commit })
  await transact(ctx, async (ctx) => {
    const held = await hold(ctx, repo.storage_id, pull)
    await openMergeTarget(ctx, held.pull, 'manually-merged', { issue: held.issue })
    await mark(ctx, held, pull, found)
  })
}

/** Marks a detected manual merge: the base contains the whole head. No-op if the pull request is no longer open. */
export async function markFound(ctx: Context, pull: PullRow, commit: string): Promise<void> {
  const storageId = await getStorageId(ctx.db, pull.repository_id)
  const found = await findInBase(ctx, storageId, pull, commit)
  if (found === undefined) return
  await transact(ctx, async (ctx) => {
    const held = await hold(ctx, storageId, pull)
    const { is_open, head_oid, base_branch } = held.pull
    if (is_open && head_oid === pull.head_oid && base_branch === pull.base_branch)
      await mark(ctx, held, pull, found)
  })
}

async function findInBase(
  ctx: Context,
  storageId: StorageId,
  pull: PullRow,
  oid: string,
): Promise<Found | undefined> {
  const base = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  if (base === undefined) throw notFound('branch', pull.base_branch)
  const commit = isOid(oid) ? await findCommit(ctx, storageId, oid) : undefined
  if (commit === undefined || !(await isAncestor(ctx, storageId, oid, base.oid))) return undefined
  return { storageId, tip: base.oid, commit }
}

async function hold(ctx: TxContext, storageId: StorageId, pull: PullRow): Promise<HeldPull> {
  await lockStorage(ctx, storageId)
  return holdPull(ctx, pull.issue_id)
}

/** The base branch is locked and must still be at `tip`. */
async function mark(
  ctx: TxContext,
  held: HeldPull,
  pull: PullRow,
  { storageId, tip, commit }: Found,
): Promise<void> {
  const now = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  if (now?.oid !== tip)
    throw new Problem('conflict', 'base branch was updated concurrently, please try again')
  const actor = asSignedIn({ ctx })
  const { head_oid, base_branch } = pull
  const landing = { headOid: head_oid, baseBranch: base_branch, mergeCommit: commit.oid, isAuto: false }
  await markMerged(ctx, held, actor, landing)
  await insertMerge(ctx.db, {
    issue_id: pull.issue_id,
    style: 'manually-merged',
    base_oid: tip,
    head_oid,
    tree: commit.tree,
    merge_commit: commit.oid,
    actor_id: actor.id,
    is_auto: false,
    created_at: ctx.now(),
  })
}
