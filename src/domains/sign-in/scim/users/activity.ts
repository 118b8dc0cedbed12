/** Whether a person is active: SCIM suspends accounts and lifts its own suspensions, and destroys nothing. */
import {
  type Account,
  findAccountById,
  liftBySource,
  setSiteAdmin,
  suspendBySource,
} from '#domains/people/users'
import { findIdentityOf, followGroups, type SourceRow } from '#domains/sign-in/sources'
import type { TxContext } from '#platform/context'

export async function setActive(
  ctx: TxContext,
  source: SourceRow,
  accountId: number,
  isActive: boolean,
): Promise<void> {
  if (isActive) {
    await liftBySource(ctx, accountId, source.id)
    // The role that ended with the suspension.
    return followMappings(ctx, source, [accountId])
  }
  await endGivenRole(ctx, source, accountId)
  await suspendBySource(ctx, accountId, {
    sourceId: source.id,
    reason: `Deactivated by the authentication source ${source.name}.`,
  })
}

/** Teams and role as the mappings of the source give them now. Without an identity the source gives nothing. */
export async function followMappings(
  ctx: TxContext,
  source: Pick<SourceRow, 'id'>,
  accountIds: readonly number[],
): Promise<void> {
  for (const id of accountIds) {
    const identity = await findIdentityOf(ctx.db, source.id, id)
    const account = identity && (await findAccountById(ctx.db, id))
    if (identity === undefined || account === undefined) continue
    await followGroups(ctx, identity, account, null)
    // A suspended account has no role, and gets it back when the suspension is lifted.
    if (account.prohibits_login) await endGivenRole(ctx, source, id)
  }
}

/** A mapping made the account a site administrator, so the source may end that; another one's role stays. */
async function endGivenRole(ctx: TxContext, source: Pick<SourceRow, 'id'>, accountId: number): Promise<void> {
  const identity = await findIdentityOf(ctx.db, source.id, accountId)
  const account: Account | undefined = identity && (await findAccountById(ctx.db, accountId))
  if (identity?.made_admin && account?.is_admin) await setSiteAdmin(ctx, accountId, false)
}
