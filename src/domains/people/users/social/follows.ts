/** Following somebody, and no longer. Each verb is one transaction: lock the two, check, change, count. */
import { type Context, transact } from '#platform/context'
import { forbidden, notFound } from '#platform/problem'
import type { SignedIn } from '#platform/rest'
import type { Account } from '../tables.ts'
import { areApart, deleteFollow, insertFollow, isFollowing, lockPair } from './ties.ts'

export async function follow(ctx: Context, actor: SignedIn, account: Account): Promise<void> {
  // Compat: to follow oneself, or somebody twice, is no mistake; nothing happens.
  if (account.id === actor.id) return
  await transact(ctx, async (ctx) => {
    if (!(await lockPair(ctx.db, actor.id, account.id))) throw notFound('user', account.login)
    if (await areApart(ctx.db, actor.id, account.id)) throw forbidden('user is blocked')
    await insertFollow(ctx.db, actor.id, account.id, ctx.now())
  })
}

export async function unfollow(ctx: Context, actor: SignedIn, account: Account): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockPair(ctx.db, actor.id, account.id)
    await deleteFollow(ctx.db, actor.id, account.id)
  })
}

/** A question whose answer «no» is that there is nothing. */
export async function assertFollows(ctx: Context, follower: number, account: Account): Promise<void> {
  if (!(await isFollowing(ctx.db, follower, account.id))) throw notFound('follow', account.login)
}
