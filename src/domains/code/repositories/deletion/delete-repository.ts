/** Deletes repositories and updates all counters. The remains for an undelete: deleted-store.ts. */
import { dropPicture } from '#domains/people/users'
import { emit } from '#events'
import { markDeleted } from '#git'
import { type Context, type TxContext, transact } from '#platform/context'
import type { SignedIn } from '#platform/rest'
import type { Owned } from '../access/open-repository.ts'
import { eventOf } from '../events.ts'
import { deleteRepositoryRow, listIdsOf } from '../record/store.ts'
import { countAllBytes, readBytes } from '../record/usage.ts'
import { findStorageOf, insertDeleted, lockBeside } from './deleted-store.ts'

export async function deleteRepository(ctx: Context, repo: Owned, actor: SignedIn): Promise<void> {
  await transact(ctx, (ctx) => remove(ctx, repo.id, actor.id))
}

/** Deletes all repositories of an owner: for organizations that are deleted and for users who are purged. */
export async function deleteRepositoriesOf(ctx: TxContext, ownerId: number, actorId: number): Promise<void> {
  for (const id of await listIdsOf(ctx.db, ownerId)) await remove(ctx, id, actorId)
}

async function remove(ctx: TxContext, id: number, actorId: number): Promise<void> {
  const storageId = await findStorageOf(ctx.db, id)
  if (storageId === undefined) return
  // Pushes lock the storage before the counters: the other order would deadlock.
  await markDeleted(ctx.db, storageId, ctx.now())
  const beside = await lockBeside(ctx.db, id)
  if (beside === undefined) return
  const bytes = await readBytes(ctx, id)
  const gone = await deleteRepositoryRow(ctx.db, id)
  if (gone === undefined) return
  await insertDeleted(ctx, gone, beside)
  countAllBytes(ctx, gone.owner_id, bytes, { sign: -1 })
  if (gone.wiki_storage_id !== null) await markDeleted(ctx.db, gone.wiki_storage_id, ctx.now())
  await dropPicture(ctx, gone.avatar)
  await emit(ctx, 'repository.deleted', eventOf(gone, actorId))
}
