/** Deletes objects that no repository is linked to. */
import { type Context, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { deleteUnlinked } from '../objects/store.ts'
import { lfsKey } from '../objects/take.ts'

/** An object gets its first link in the transaction that inserts it: this is for safety only. */
const KEPT_MS = 3_600_000
const AT_ONCE = 500

export async function sweepObjects(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - KEPT_MS)
  for (let swept = AT_ONCE; swept === AT_ONCE; )
    swept = await transact(ctx, async (ctx) => {
      const keys = await deleteUnlinked(ctx.db, before, AT_ONCE)
      await discardObjects(ctx, keys.map(lfsKey))
      return keys.length
    })
}
