/** Deleting repositories, and taking them out of every count they were in. What is left of them: deleted-store.ts. */
import { dropPicture } from '#domains/people/users'
import { emit } from '#events'
import { markDeleted } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import type { Owned } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import { deleteRepositoryRow, listIdsOf } from '../record/store.ts'
import { findStorageOf, insertDeleted, lockBeside } from './deleted-store.ts'

export async function deleteRepository(ctx: Context, repo: Owned, actor: SignedIn): Promise<void> {
  await transact(ctx, (ctx) => remove(ctx, repo.id, actor.id))
}

/** Everything an owner has: for organizations that are emptied and for people who are purged. */
export async function deleteRepositoriesOf(ctx: TxContext, ownerId: number, actorId: number): Promise<void> {
  for (const id of await listIdsOf(ctx.db, ownerId)) await remove(ctx, id, actorId)
}

async function remove(ctx: TxContext, id: number, actorId: number): Promise<void> {
  const storageId = await findStorageOf(ctx.db, id)
  if (storageId === undefined) return
  // Pushes lock the storage before the counters: in the other order one of the two would be given up by PostgreSQL.
  await markDeleted(ctx.db, storageId, ctx.now())
  const beside = await lockBeside(ctx.db, id)
  if (beside === undefined) return
  const gone = await deleteRepositoryRow(ctx.db, id)
  if (gone === undefined) return
  await insertDeleted(ctx, gone, beside)
  if (gone.wiki_storage_id !== null) await markDeleted(ctx.db, gone.wiki_storage_id, ctx.now())
  await dropPicture(ctx, gone.avatar)
  await emit(ctx, 'repository.deleted', eventOf(gone, actorId))
}
