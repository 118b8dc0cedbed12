/** Prohibits and allows sign-in for an authentication source, whose directory has lost or found a person. */
import type { TxContext } from '#platform/context'

/** False for a suspended account, which stays as it is. */
export async function setProhibited(ctx: TxContext, id: number, isProhibited: boolean): Promise<boolean> {
  const changed = await ctx.db
    .updateTable('account')
    .set({ prohibits_login: isProhibited, updated_at: ctx.now() })
    .where('id', '=', id)
    .where('is_suspended', '=', false)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account_suspension')
            .select('account_suspension.account_id')
            .whereRef('account_suspension.account_id', '=', 'account.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return changed.numUpdatedRows === 1n
}
