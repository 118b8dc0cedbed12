/**
 * Computes merge base, diff size and mergeability of a pull request with git. Stored with the base and head they were
 * computed for, so that a stored result can be outdated but never wrong.
 */
import { getStorageId } from '#domains/code/repositories'
import {
  checkMerge,
  diffFiles,
  findCommit,
  findMergeBase,
  findRef,
  HEADS,
  isBeyondGit,
  type StorageId,
} from '#git'
import { type Context, transact } from '#platform/context'
import { findPullOf, listVersions, lockPull, updatePull, updateVersion } from '../records/store.ts'
import { isChecked } from '../records/wire.ts'
import type { Mergeability, PullRow } from '../tables.ts'

interface Found {
  readonly mergeability: Mergeability
  readonly conflicted_paths: string[]
  readonly merge_base: string
  readonly additions: number | null
  readonly deletions: number | null
  readonly changed_files: number | null
}

/** Compat: at most this many paths are listed. */
const PATHS_MAX = 100

/** No-op if it is closed or its base and head are checked already. Returns the current row. */
export async function checkPull(ctx: Context, issueId: number): Promise<PullRow | undefined> {
  const pull = await findPullOf(ctx.db, issueId)
  if (pull === undefined || !pull.is_open) return pull
  const storageId = await getStorageId(ctx.db, pull.repository_id)
  const base = await findRef(ctx.db, storageId, HEADS + pull.base_branch)
  if (base === undefined || isChecked(pull, base.oid)) return pull
  const found = await look(ctx, storageId, base.oid, pull.head_oid)
  return transact(ctx, async (ctx) => {
    const now = await lockPull(ctx.db, issueId)
    if (now.head_oid !== pull.head_oid || now.base_branch !== pull.base_branch || !now.is_open) return now
    const { mergeability, conflicted_paths, ...version } = found
    await updateVersion(ctx.db, pull, { base_oid: base.oid, ...version })
    const checked = { checked_base_oid: base.oid, checked_head_oid: pull.head_oid }
    return updatePull(ctx.db, issueId, { ...version, ...checked, mergeability, conflicted_paths })
  })
}

/** Mergeability of an open pull request: stored for its base and head, or computed now. */
export async function findMergeability(
  ctx: Context,
  pull: PullRow,
  base: { readonly storage_id: StorageId },
): Promise<Mergeability> {
  const tip = await findRef(ctx.db, base.storage_id, HEADS + pull.base_branch)
  const now = isChecked(pull, tip?.oid) ? pull : await checkPull(ctx, pull.issue_id)
  return (now ?? pull).mergeability
}

/**
 * Computes the merge base of a closed pull request if unknown, from the base commit of its last version. An imported
 * base commit may be missing here.
 */
export async function backfillMergeBase(ctx: Context, pull: PullRow): Promise<void> {
  const version = (await listVersions(ctx.db, pull.issue_id)).at(-1)
  if (pull.is_open || pull.merge_base !== '' || !version?.base_oid) return
  const storageId = await getStorageId(ctx.db, pull.repository_id)
  if ((await findCommit(ctx, storageId, version.base_oid)) === undefined) return
  const merge_base = await findMergeBase(ctx, storageId, version.base_oid, pull.head_oid)
  if (merge_base === undefined) return
  const found = { merge_base, ...(await count(ctx, storageId, merge_base, pull.head_oid)) }
  await transact(ctx, async (ctx) => {
    const now = await lockPull(ctx.db, pull.issue_id)
    if (now.is_open || now.head_oid !== pull.head_oid) return
    await updateVersion(ctx.db, pull, found)
    await updatePull(ctx.db, pull.issue_id, found)
  })
}

async function look(ctx: Context, storageId: StorageId, base: string, head: string): Promise<Found> {
  const parting = await findMergeBase(ctx, storageId, base, head)
  const stats = await count(ctx, storageId, parting ?? base, head)
  const common = { merge_base: parting ?? '', conflicted_paths: [], ...stats }
  const merged = await checkMerge(ctx, storageId, base, head).catch(unlessBeyond)
  if (merged === undefined) return { ...common, mergeability: 'error' }
  if (merged.kind === 'conflict')
    return { ...common, mergeability: 'conflict', conflicted_paths: merged.paths.slice(0, PATHS_MAX) }
  if (merged.kind !== 'clean') return { ...common, mergeability: merged.kind }
  const isEmpty = (await findCommit(ctx, storageId, base))?.tree === merged.tree
  return { ...common, mergeability: isEmpty ? 'empty' : 'mergeable' }
}

async function count(ctx: Context, storageId: StorageId, from: string, to: string) {
  const difference = await diffFiles(ctx, storageId, { from, to }, { withRenames: true }).catch(unlessBeyond)
  if (difference === undefined) return { additions: null, deletions: null, changed_files: null }
  const { additions, deletions, files } = difference.stats
  return { additions, deletions, changed_files: files }
}

function unlessBeyond(error: unknown): undefined {
  if (!isBeyondGit(error)) throw error
}
