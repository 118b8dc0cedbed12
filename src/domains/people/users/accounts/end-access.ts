/** Ends every session and token of a user at once, on every node: slices that keep credentials handle the event. */
import { emit } from '#events'
import { type Context, transact } from '#platform/context'
import type { SiteAdmin } from '#platform/rest'
import type { ManagedUser } from './open-user.ts'

export async function endAccess(ctx: Context, admin: SiteAdmin, user: ManagedUser): Promise<void> {
  await transact(ctx, async (ctx) => {
    // Waits for credentials that are being inserted: their foreign keys lock the account.
    await ctx.db.selectFrom('account').select('id').where('id', '=', user.id).forUpdate().execute()
    await emit(ctx, 'account.access_ended', { account_id: user.id, actor_id: admin.id })
  })
}
