/**
 * A pull request that is behind its branch, because it was closed while that moved. Whoever reopens it did not push: of
 * the new version nobody knows who did.
 */
import { lockIssues } from '#domains/issues'
import { getStorageId } from '#domains/repositories'
import { actAs } from '#domains/users'
import { findRef, HEADS, lockStorage } from '#git'
import { type Context, transact } from '#platform/context'
import { asSignedIn } from '#platform/rest'
import { findPullOf } from '../records/store.ts'
import { advance, prepareMove } from './follow.ts'

/** Tried again by the queue when the branch moves meanwhile. */
export async function catchUp(ctx: Context, issueId: number, actorId: number): Promise<void> {
  const pull = await findPullOf(ctx.db, issueId)
  if (pull === undefined || !pull.is_open || pull.head_repository_id === null || pull.flow === 'agit') return
  const headId = await getStorageId(ctx.db, pull.head_repository_id)
  const name = HEADS + pull.head_branch
  const tip = await findRef(ctx.db, headId, name)
  if (tip === undefined || tip.oid === pull.head_oid) return
  const update = { name, old: pull.head_oid, new: tip.oid }
  const storage_id = await getStorageId(ctx.db, pull.repository_id)
  await using lease = await ctx.cache.lease(ctx, headId)
  const moving = {
    repositoryId: pull.head_repository_id,
    actorId,
    pusherId: null,
    updates: [update],
    openObjects: async () => lease.path,
  }
  const prepared = await prepareMove(ctx, moving, update, [{ ...pull, storage_id }])
  await transact(ctx, async (ctx) => {
    await lockStorage(ctx, headId)
    if ((await findRef(ctx.db, headId, name))?.oid !== tip.oid) return
    const actor = asSignedIn({ ctx: (await actAs(ctx, actorId)) ?? ctx })
    await lockStorage(ctx, storage_id)
    await lockIssues(ctx.db, [issueId])
    await advance(ctx, { ...pull, storage_id }, update, prepared, { actor, pusherId: null })
  })
}
