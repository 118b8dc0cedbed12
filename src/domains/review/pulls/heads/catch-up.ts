/**
 * Pull requests that are behind their branches: they were closed while those moved, or there were too many for one
 * transaction. Who reopens one, or wants to merge it, did not push: of such a version nobody knows who did.
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
 * All come from one repository. `together` is part of the transaction. Who pushed to a branch meanwhile has moved its pull
 * requests; what else came between is tried again by the queue.
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
