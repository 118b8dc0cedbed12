/**
 * Suspension by an authentication source whose SCIM client says that a person is no longer active. It prohibits the
 * sign-in everywhere, like every suspension, but hides nothing that the person wrote.
 */
import type { TxContext } from '#platform/context'
import type { Tx } from '#platform/db'
import { forbidden } from '#platform/problem'

/** An account that is suspended already keeps its suspension, which the source then does not lift. */
export async function suspendBySource(
  ctx: TxContext,
  accountId: number,
  { sourceId, reason }: { readonly sourceId: number; readonly reason: string },
): Promise<void> {
  const account = await ctx.db
    .selectFrom('account')
    .select(['is_admin', 'prohibits_login'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (account.is_admin) throw forbidden('a site administrator cannot be suspended: end the role first')
  const inserted = await ctx.db
    .insertInto('account_suspension')
    .values({
      account_id: accountId,
      actor_id: null,
      source_id: sourceId,
      reason,
      prohibited_login: account.prohibits_login,
      created_at: ctx.now(),
      appeal: null,
      appealed_at: null,
    })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .executeTakeFirst()
  if (inserted.numInsertedOrUpdatedRows === 1n) await prohibit(ctx, accountId, true)
}

/** Lifts only what this source has suspended. */
export async function liftBySource(ctx: TxContext, accountId: number, sourceId: number): Promise<void> {
  await ctx.db.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute()
  const ended = await ctx.db
    .deleteFrom('account_suspension')
    .where('account_id', '=', accountId)
    .where('source_id', '=', sourceId)
    .returning('prohibited_login')
    .executeTakeFirst()
  if (ended !== undefined) await prohibit(ctx, accountId, ended.prohibited_login)
}

/** Whether the row of a suspension prohibits the sign-in: an edit of the account must not end it unseen. */
export async function isSuspendedBySource(tx: Tx, accountId: number): Promise<boolean> {
  const found = await tx
    .selectFrom('account_suspension')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('source_id', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

async function prohibit({ db, now }: TxContext, id: number, isProhibited: boolean): Promise<void> {
  await db
    .updateTable('account')
    .set({ prohibits_login: isProhibited, updated_at: now() })
    .where('id', '=', id)
    .execute()
}
