/** A pull request that somebody merged elsewhere and pushed: it is marked with the commit that has it. Nothing moves. */
import { lockIssues } from '#domains/issues'
import { lockPull, markMerged, type PullRow } from '#domains/pulls'
import { findCommit, findRef, HEADS, isAncestor, isOid, lockStorage } from '#git'
import { type Context, transact } from '#platform/context'
import { notFound, Problem } from '#platform/problem'
import { asSignedIn } from '#platform/rest'
import { insertMerge } from '../store.ts'
import { openGround } from './ground.ts'

/** Refused when the base has not this commit: that is all that can be known of what was done by hand. */
export async function markByHand(ctx: Context, pull: PullRow, commit: string): Promise<void> {
  const { repo } = await openGround(ctx, pull, 'manually-merged')
  const base = await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch)
  if (base === undefined) throw notFound('branch', pull.base_branch)
  const found = isOid(commit) ? await findCommit(ctx, repo.storage_id, commit) : undefined
  if (found === undefined || !(await isAncestor(ctx, repo.storage_id, commit, base.oid)))
    throw new Problem('conflict', 'base branch does not have this commit', { commit })
  await transact(ctx, async (ctx) => {
    await lockStorage(ctx, repo.storage_id)
    await lockIssues(ctx.db, [pull.issue_id])
    const held = await lockPull(ctx.db, pull.issue_id)
    await openGround(ctx, held, 'manually-merged')
    const now = await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch)
    if (now?.oid !== base.oid)
      throw new Problem('conflict', 'base branch was updated concurrently, please try again')
    const actor = asSignedIn({ ctx })
    const { head_oid, base_branch } = pull
    const landing = { headOid: head_oid, baseBranch: base_branch, mergeCommit: commit, isAuto: false }
    await markMerged(ctx, pull.issue_id, actor, landing)
    await insertMerge(ctx.db, {
      issue_id: pull.issue_id,
      style: 'manually-merged',
      base_oid: base.oid,
      head_oid,
      tree: found.tree,
      merge_commit: commit,
      actor_id: actor.id,
      is_auto: false,
      created_at: ctx.now(),
    })
  })
}
