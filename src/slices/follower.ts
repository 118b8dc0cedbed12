/**
 * What follows the branches of a repository, in the transaction that moves them. A handler of `refs.moved` asks no git; a
 * follower may, before the transaction begins, and so bring along what another repository needs. So neither those who move
 * refs nor those who follow know each other by name.
 */
import type { Context, TxContext } from '#platform/context'

declare module '#platform/context' {
  interface World {
    readonly followers: readonly RefFollower[]
  }
}

export interface Moving {
  readonly repositoryId: number
  /** Whoever is said to have done it. */
  readonly actorId: number
  /** Who brought the commits. null: they were fetched from elsewhere, where anybody may have pushed them. */
  readonly pusherId: number | null
  /** All zeros: the ref was not there, or is no more. */
  readonly updates: readonly MovingRef[]
  /** A branch that goes on under another name: both are among the updates. */
  readonly renamed?: { readonly from: string; readonly to: string }
  /** The path of a repository that has the objects which refs are to point to. */
  readonly openObjects: () => Promise<string>
}

export interface MovingRef {
  readonly name: string
  readonly old: string
  readonly new: string
}

/** Part of the transaction, once the refs are moved: told which of them really were. */
export type Follow = (ctx: TxContext, moved: readonly MovingRef[]) => Promise<void>

export interface RefFollower {
  /** May be in vain: the refs may still be refused. */
  prepare(ctx: Context, moving: Moving): Promise<Follow>
}

export async function followAll(ctx: Context, moving: Moving): Promise<Follow> {
  const follows: Follow[] = []
  for (const follower of ctx.followers) follows.push(await follower.prepare(ctx, moving))
  return async (ctx, moved) => {
    for (const follow of follows) await follow(ctx, moved)
  }
}
