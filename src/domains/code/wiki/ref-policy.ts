/** The ref policy of wikis: write access to the wiki covers all its refs; there are no protected branches. */
import { countPacks } from '#domains/code/repositories'
import { refLimitOf } from '#domains/people/access'
import {
  findRef,
  getStorage,
  HEADS,
  isZeroOid,
  type RefPolicy,
  type RefUpdate,
  type Storage,
  type StorageId,
  setHead,
} from '#git'
import type { TxContext } from '#platform/context'
import { forbidden } from '#platform/problem'

export function wikiPolicy(storageId: StorageId): RefPolicy {
  return {
    decide: async (ctx, updates) => {
      const { head } = await getStorage(ctx.db, storageId)
      const doomed = updates.filter((update) => update.name === head && isZeroOid(update.new))
      const refusal = forbidden('refusing to delete the default branch')
      const mayMove = refLimitOf(ctx.actor?.restriction)
      const beyond = updates.filter(({ name }) => mayMove?.(name) === false)
      return {
        refusals: new Map([
          ...doomed.map(({ name }) => [name, refusal] as const),
          ...beyond.map(({ name }) => [name, forbidden('token may not update this ref')] as const),
        ]),
        together: async (ctx, { storage, updates, bytes }) => {
          await adoptHead(ctx, storage, updates)
          await countPacks(ctx, storage.id, bytes, true)
        },
      }
    },
  }
}

/** The first branch pushed to an empty wiki becomes its HEAD. The caller holds the storage's lock. */
async function adoptHead(ctx: TxContext, storage: Storage, updates: readonly RefUpdate[]): Promise<void> {
  if ((await findRef(ctx.db, storage.id, storage.head)) !== undefined) return
  const made = updates.find((update) => update.name.startsWith(HEADS) && !isZeroOid(update.new))
  if (made !== undefined) await setHead(ctx.db, storage.id, made.name, ctx.now())
}
