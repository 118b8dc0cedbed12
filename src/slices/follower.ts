/**
 * Followers of a repository's branches, which run in the transaction that moves them. A handler of `refs.moved` must not
 * call git; a follower may, before the transaction begins, and can prepare objects for another repository. So slices that
 * move refs and slices that follow them do not depend on each other.
 */
import type { Context, TxContext } from '#platform/context'

declare module '#platform/context' {
  interface World {
    readonly followers: readonly RefFollower[]
  }
}

export interface Moving {
  readonly repositoryId: number
  /** The actor of the event. */
  readonly actorId: number
  /** The user who pushed the commits. null: a sync fetched them, so their pusher is unknown. */
  readonly pusherId: number | null
  /** All zeros: the ref did not exist, or is deleted. */
  readonly updates: readonly MovingRef[]
  /** A renamed branch: both names are among the updates. */
  readonly renamed?: { readonly from: string; readonly to: string }
  /** Returns the path of a repository with the objects that the refs will point to. */
  readonly openObjects: () => Promise<string>
}

export interface MovingRef {
  readonly name: string
  readonly old: string
  readonly new: string
}

/** Runs in the transaction after the refs have moved, with the refs that did move. */
export type Follow = (ctx: TxContext, moved: readonly MovingRef[]) => Promise<void>

export interface RefFollower {
  /** The result may go unused, because the refs may still be refused. */
  prepare(ctx: Context, moving: Moving): Promise<Follow>
}

export async function followAll(ctx: Context, moving: Moving): Promise<Follow> {
  const follows: Follow[] = []
  for (const follower of ctx.followers) follows.push(await follower.prepare(ctx, moving))
  return async (ctx, moved) => {
    for (const follow of follows) await follow(ctx, moved)
  }
}
