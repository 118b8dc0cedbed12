/** Deletes records after `audit.keep_days`. The chain then begins after an anchor: the newest seal whose records expired. */
import { type Context, transact } from '#platform/context'
import { anchorMacOf } from './canonical.ts'
import { findKey } from './seal.ts'

const DAY_MS = 86_400_000
const AT_ONCE = 1_000

/** Run by cron. Only whole sealed ranges are deleted, so that the rest can be verified. */
export async function deleteExpired(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - ctx.config['audit.keep_days'] * DAY_MS)
  const toId = await moveAnchor(ctx, before)
  if (toId === undefined) return
  while ((await deleteSome(ctx, toId)) === AT_ONCE);
}

/** First, so that at no moment records are missing that the chain still contains. */
function moveAnchor(ctx: Context, before: Date): Promise<number | undefined> {
  return transact(ctx, async (ctx) => {
    const key = await findKey(ctx.db, ctx.seal, true)
    const anchor = await ctx.db
      .selectFrom('audit_seal')
      .selectAll()
      .where('sealed_at', '<', before)
      .orderBy('to_id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (key === undefined || anchor === undefined) return undefined
    await ctx.db.deleteFrom('audit_seal').where('to_id', '<', anchor.to_id).execute()
    await ctx.db
      .updateTable('audit_seal')
      .set({ anchor_mac: anchorMacOf(key, anchor) })
      .where('id', '=', anchor.id)
      .execute()
    return anchor.to_id
  })
}

async function deleteSome(ctx: Context, toId: number): Promise<number> {
  const some = ctx.db
    .selectFrom('audit_record')
    .select('id')
    .where('id', '<=', toId)
    .orderBy('id')
    .limit(AT_ONCE)
  const { numDeletedRows } = await ctx.db
    .deleteFrom('audit_record')
    .where('id', 'in', some)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
