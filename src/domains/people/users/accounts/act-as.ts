/** Lets a worker act as the user who requested the work, while that user may act. */
import type { Context } from '#platform/context'
import { findAccountById } from './accounts.ts'
import { actorOf } from './actors.ts'

/** Undefined for a user who is gone, inactive or prohibited from signing in. */
export async function actAs<C extends Context>(ctx: C, id: number): Promise<C | undefined> {
  const account = await findAccountById(ctx.db, id)
  if (account === undefined || !account.is_active || account.prohibits_login) return undefined
  return { ...ctx, actor: actorOf(account, { publicOnly: false, via: 'process', tokenId: null }) }
}
