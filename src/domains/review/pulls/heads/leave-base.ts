/** Retargets a pull request whose base branch was deleted to the default branch. */

import { getRepository } from '#domains/code/repositories'
import { actAs } from '#domains/people/users'
import { lockIssues } from '#domains/work/issues'
import { findRef, HEADS } from '#git'
import { type Context, transact } from '#platform/context'
import { asSignedIn } from '#platform/rest'
import { aimAt, retarget } from '../records/retarget.ts'
import { findPullOf, lockPull } from '../records/store.ts'

export async function leaveBase(ctx: Context, issueId: number, actorId: number): Promise<void> {
  const found = await findPullOf(ctx.db, issueId)
  if (found === undefined || !found.is_open) return
  const { storage_id, default_branch } = await getRepository(ctx, found.repository_id)
  const aim = await aimAt(ctx, storage_id, found.head_oid, default_branch)
  await transact(ctx, async (ctx) => {
    const asActor = await actAs(ctx, actorId)
    const [issue] = await lockIssues(ctx.db, [issueId])
    if (asActor === undefined || issue === undefined) return
    const pull = await lockPull(ctx.db, issueId)
    const repo = await getRepository(ctx, pull.repository_id)
    const isThere = await findRef(ctx.db, repo.storage_id, HEADS + pull.base_branch)
    if (!pull.is_open || isThere !== undefined) return
    const actor = asSignedIn({ ctx: asActor })
    await retarget(ctx, pull, actor, aim)
  })
}
