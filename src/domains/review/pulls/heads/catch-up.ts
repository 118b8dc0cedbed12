/**
 * Moves heads that are behind their branches: the pull requests were closed meanwhile, or too many for one transaction.
 * The user who reopens or merges is not the pusher, so such a version has no pusher.
 */
import { getStorageId } from '#domains/code/repositories'
import { findRefs, HEADS, lockStorage } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { type Following, findFollowing } from '../records/store.ts'
import { isBehindBranch } from './behind-branch.ts'
import { type MovedBy, moveHeads } from './move-heads.ts'
import { prepareMoves } from './prepare-moves.ts'

export async function catchUp(ctx: Context, issueId: number, actorId: number): Promise<void> {
  const pull = await findFollowing(ctx.db, issueId)
  if (pull === undefined || pull.head_repository_id === null || !(await isBehindBranch(ctx.db, pull))) return
  await catchUpAll(ctx, pull.head_repository_id, [pull], { actorId, pusherOf: () => null })
}

/**
 * All pull requests come from one repository. `together` runs in the transaction. A push that moved a branch meanwhile
 * moved its pull requests too; on any other conflict the queue retries the job.
 */
export async function catchUpAll(
  ctx: Context,
  headRepositoryId: number,
  pulls: readonly Following[],
  by: MovedBy,
  together: (ctx: TxContext) => Promise<void> = async () => undefined,
): Promise<void> {
  const headId = await getStorageId(ctx.db, headRepositoryId)
  const names = [...new Set(pulls.map(nameOf))]
  const tips = await findRefs(ctx.db, headId, names)
  const tipOf = (pull: Following) => tips.get(nameOf(pull))?.oid
  const moves = pulls.flatMap((pull) => {
    const to = tipOf(pull)
    return to === undefined || to === pull.head_oid ? [] : [{ pull, to }]
  })
  await using leases = new AsyncDisposableStack()
  const open = async () => leases.use(await ctx.cache.lease(ctx, headId)).path
  const prepared = await prepareMoves(ctx, headRepositoryId, moves, open)
  await transact(ctx, async (ctx) => {
    await lockStorage(ctx, headId)
    const now = await findRefs(ctx.db, headId, names)
    const same = pulls.filter((pull) => now.get(nameOf(pull))?.oid === tipOf(pull))
    const left = await moveHeads(ctx, same, tipOf, prepared, by)
    if (left.length > 0) throw new Problem('unavailable', 'pull requests cannot follow their branches yet')
    await together(ctx)
  })
}

function nameOf({ head_branch }: Following): string {
  return HEADS + head_branch
}
