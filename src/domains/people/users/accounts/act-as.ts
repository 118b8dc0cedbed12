/** Lets a worker act as the user who requested the work, while that user may act. */
import type { Restriction } from '#domains/people/access'
import type { Context } from '#platform/context'
import { findAccountById } from './accounts.ts'
import { actorOf } from './actors.ts'

/**
 * Undefined for a user who is gone, inactive or prohibited from signing in. What was requested with a restricted
 * token keeps its restriction.
 */
export async function actAs<C extends Context>(
  ctx: C,
  id: number,
  restriction?: Restriction,
): Promise<C | undefined> {
  const account = await findAccountById(ctx.db, id)
  if (account === undefined || !account.is_active || account.prohibits_login) return undefined
  const credential = { publicOnly: false, via: 'process' as const, tokenId: null }
  return { ...ctx, actor: actorOf(account, { ...credential, ...(restriction && { restriction }) }) }
}
