/** Deletes attachments without an owner, and their objects. */
import { type Context, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { deleteOrphans } from './store.ts'
import { keyOf } from './store-file.ts'

/** Longer than any upload takes: a later one finds no row to complete. */
const ORPHAN_KEPT_MS = 24 * 3_600_000
const SWEPT_AT_ONCE = 500

export async function sweepAttachments(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ORPHAN_KEPT_MS)
  for (let swept = SWEPT_AT_ONCE; swept === SWEPT_AT_ONCE; )
    swept = await transact(ctx, async (ctx) => {
      const uuids = await deleteOrphans(ctx.db, before, SWEPT_AT_ONCE)
      await discardObjects(ctx, uuids.map(keyOf))
      return uuids.length
    })
}
