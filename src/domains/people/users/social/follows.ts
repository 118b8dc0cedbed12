/** Follows. Each operation is one transaction: lock both accounts, check, change, count. */
import { type Context, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { Account } from '../tables.ts'
import { deleteFollow, insertFollow, isBlockedEitherWay, isFollowing, lockPair } from './ties.ts'

export async function follow(ctx: Context, actor: SignedIn, account: Account): Promise<void> {
  // Compat: following oneself, or a user twice, succeeds without effect.
  if (account.id === actor.id) return
  await transact(ctx, async (ctx) => {
    if (!(await lockPair(ctx.db, actor.id, account.id))) throw notFound('user', account.login)
    if (await isBlockedEitherWay(ctx.db, actor.id, account.id)) throw forbidden('user is blocked')
    await insertFollow(ctx.db, actor.id, account.id, ctx.now())
  })
}

export async function unfollow(ctx: Context, actor: SignedIn, account: Account): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockPair(ctx.db, actor.id, account.id)
    await deleteFollow(ctx.db, actor.id, account.id)
  })
}

/** Throws not found when there is no follow. */
export async function assertFollows(ctx: Context, follower: number, account: Account): Promise<void> {
  if (!(await isFollowing(ctx.db, follower, account.id))) throw notFound('follow', account.login)
}
