/** Updates counters and emits the event for moved refs, in the transaction of the move, for every cause. */
import { emit } from '#events'
import { HEADS, isZeroOid, type MovedRefs, type RefPolicy, type RefUpdate, TAGS } from '#git'
import type { TxContext } from '#platform/context'
import { followAll, type Moving } from '#slices'
import type { RefsMovedEvent } from '../events.ts'
import { countChange } from './store.ts'

/** Returns the number of branches after the move. */
export async function refsMoved(
  ctx: TxContext,
  { updates, bytes }: Pick<MovedRefs, 'updates' | 'bytes'>,
  by: Omit<RefsMovedEvent, 'updates'>,
): Promise<number> {
  const { branches } = await countChange(ctx, by.repository_id, {
    branches: addedBelow(HEADS, updates),
    tags: addedBelow(TAGS, updates),
    bytes,
  })
  const moves = updates.map(({ name, old, new: oid }) => ({ name, old, new: oid }))
  await emit(ctx, 'refs.moved', { ...by, updates: moves })
  return branches
}

function addedBelow(prefix: string, updates: readonly RefUpdate[]): number {
  const refs = updates.filter(({ name }) => name.startsWith(prefix))
  return refs.filter((it) => isZeroOid(it.old)).length - refs.filter((it) => isZeroOid(it.new)).length
}

/** Adds the branch followers of the repository to a policy. Followers do not see refused refs. */
export function withFollowers(
  policy: RefPolicy,
  moving: Pick<Moving, 'repositoryId' | 'actorId' | 'pusherId' | 'renamed'>,
): RefPolicy {
  return {
    decide: async (ctx, updates, openObjects) => {
      const decision = await policy.decide?.(ctx, updates, openObjects)
      const refusals = decision?.refusals ?? new Map()
      const allowed = updates.filter(({ name }) => !refusals.has(name))
      const follow = await followAll(ctx, { ...moving, updates: allowed, openObjects })
      return {
        refusals,
        together: async (ctx, moved) => {
          await decision?.together?.(ctx, moved)
          await follow(ctx, moved.updates)
        },
      }
    },
  }
}
