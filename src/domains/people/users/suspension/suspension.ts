/**
 * Suspension for abuse: the account cannot sign in, and only site administrators see it, its repositories, and its issues,
 * comments and reviews elsewhere. Triggers mark these rows, and unmark them when the suspension is lifted.
 */
import { type Context, transact } from '#platform/context'
import type { Db } from '#platform/db'
import { invalid } from '#platform/problem'
import type { SiteAdmin } from '#platform/rest'
import { updateAccount } from '../accounts/accounts.ts'
import type { ManagedUser } from '../accounts/open-user.ts'
import type { SuspensionRow } from '../tables.ts'

const LISTED_MAX = 100

export async function suspendUser(
  ctx: Context,
  admin: SiteAdmin,
  user: ManagedUser,
  reason: string,
): Promise<void> {
  await transact(ctx, async (ctx) => {
    const set = { is_suspended: true, prohibits_login: true, updated_at: ctx.now() }
    const account = await updateAccount(ctx.db, user.id, set)
    if (account?.is_admin) throw invalid('a site administrator cannot be suspended')
    const row = { account_id: user.id, actor_id: admin.id, reason, created_at: ctx.now() }
    await ctx.db
      .insertInto('account_suspension')
      .values({ ...row, appeal: null, appealed_at: null })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ reason, actor_id: admin.id }))
      .execute()
  })
}

export async function liftSuspension(ctx: Context, _admin: SiteAdmin, user: ManagedUser): Promise<void> {
  await transact(ctx, async (ctx) => {
    await ctx.db.deleteFrom('account_suspension').where('account_id', '=', user.id).execute()
    const set = { is_suspended: false, prohibits_login: false, updated_at: ctx.now() }
    await updateAccount(ctx.db, user.id, set)
  })
}

/** Appeals first, the oldest of them on top. */
export function selectSuspensions(db: Db) {
  return db
    .selectFrom('account_suspension')
    .innerJoin('account', 'account.id', 'account_suspension.account_id')
    .selectAll('account_suspension')
    .select('account.login')
    .orderBy('account_suspension.appealed_at')
    .orderBy('account_suspension.account_id')
    .limit(LISTED_MAX)
}

export function findSuspension(db: Db, accountId: number): Promise<SuspensionRow | undefined> {
  return db
    .selectFrom('account_suspension')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** A suspended person may appeal once. The caller has verified their password. */
export async function appeal(ctx: Context, accountId: number, text: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    const sent = await ctx.db
      .updateTable('account_suspension')
      .set({ appeal: text, appealed_at: ctx.now() })
      .where('account_id', '=', accountId)
      .where('appealed_at', 'is', null)
      .executeTakeFirst()
    if (sent.numUpdatedRows === 0n) throw invalid('an appeal was sent already')
  })
}
