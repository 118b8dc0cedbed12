/** What the caller may do after a pull request is closed or merged: delete or restore its branch, revert it. */
import { findRuleFor } from '#domains/code/protections'
import type { Repository } from '#domains/code/repositories'
import { may } from '#domains/people/access'
import type { PullRow } from '#domains/review/pulls'
import { findCommit, findRef, HEADS } from '#git'
import type { Context } from '#platform/context'
import { findMerge, isInUse } from '../store.ts'
import { findWritableHead } from './delete-head.ts'

export interface ClosedActs {
  readonly branch: 'delete' | 'restore' | null
  readonly mayRevert: boolean
}

export const NO_ACTS: ClosedActs = { branch: null, mayRevert: false }

export async function findClosedActs(ctx: Context, base: Repository, pull: PullRow): Promise<ClosedActs> {
  return { branch: await findBranchAct(ctx, base, pull), mayRevert: await mayRevert(ctx, base, pull) }
}

async function findBranchAct(ctx: Context, base: Repository, pull: PullRow): Promise<ClosedActs['branch']> {
  const head = await findWritableHead(ctx, pull, base)
  if (head === undefined || (await findRuleFor(ctx.db, head.id, pull.head_branch)) !== undefined) return null
  const ref = await findRef(ctx.db, head.storage_id, HEADS + pull.head_branch)
  // Only the base repository is sure to keep the commits of a deleted branch.
  if (ref === undefined) return head.id === base.id ? 'restore' : null
  if (ref.oid !== pull.head_oid || pull.head_branch === head.default_branch) return null
  return (await isInUse(ctx.db, head.id, pull.head_branch)) ? null : 'delete'
}

/** One commit must contain the whole pull request: rebasing and fast-forwarding several adds each of them to the base. */
async function mayRevert(ctx: Context, base: Repository, pull: PullRow): Promise<boolean> {
  if (!may(base.access, 'write', 'code') || base.access.archived || base.is_mirror) return false
  const merge = await findMerge(ctx.db, pull.issue_id)
  if (merge === undefined) return false
  const commit = await findCommit(ctx, base.storage_id, merge.merge_commit)
  return commit?.parents[0] === merge.base_oid
}
