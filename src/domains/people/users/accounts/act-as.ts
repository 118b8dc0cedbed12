/** Work that somebody asked for, done later by a worker: as them, and only while they may act. */
import type { Context } from '#platform/context'
import { findAccountById } from './accounts.ts'
import { actorOf } from './actors.ts'

/** Undefined for somebody who is gone, or must not act any more. */
export async function actAs<C extends Context>(ctx: C, id: number): Promise<C | undefined> {
  const account = await findAccountById(ctx.db, id)
  if (account === undefined || !account.is_active || account.prohibits_login) return undefined
  return { ...ctx, actor: actorOf(account, { publicOnly: false, via: 'process', tokenId: null }) }
}
