/** What a push to a wiki moves. Whoever may write the wiki may write all of it; no branch of it is guarded. */
import {
  assertBelowCeiling,
  commitRefs,
  countLivePacks,
  findRef,
  getStorage,
  type PushHandlers,
  type RefUpdate,
  type Storage,
  type StorageId,
  scheduleCare,
  setHead,
} from '#git'
import type { Context, TxContext } from '#platform/context'
import { BRANCHES, isDeletion } from './count-moved.ts'

export function wikiHandlers(ctx: Context, storageId: StorageId): PushHandlers {
  return {
    decide: async (updates) => {
      if (!updates.every(isDeletion)) await assertBelowCeiling(ctx, storageId)
      const { head } = await getStorage(ctx.db, storageId)
      const doomed = updates.filter((update) => update.name === head && isDeletion(update))
      return new Map(doomed.map(({ name }) => [name, 'the branch with the pages cannot be deleted']))
    },
    commit: (change) =>
      commitRefs(ctx, change, async (ctx, storage, done) => {
        await adoptHead(ctx, storage, done)
        await scheduleCare(ctx, storage.id, await countLivePacks(ctx.db, storage.id))
      }),
  }
}

/** The first branch of an empty wiki holds its pages, whatever it is called. The storage is locked. */
async function adoptHead(ctx: TxContext, storage: Storage, done: readonly RefUpdate[]): Promise<void> {
  if ((await findRef(ctx.db, storage.id, storage.head)) !== undefined) return
  const made = done.find((update) => update.name.startsWith(BRANCHES) && !isDeletion(update))
  if (made !== undefined) await setHead(ctx.db, storage.id, made.name, ctx.now())
}
