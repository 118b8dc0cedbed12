/** What every change of refs counts, in its own transaction, whoever made it. */
import { countChange } from '#domains/repositories'
import {
  bytesWritten,
  countLivePacks,
  isZeroOid,
  type RefsChange,
  type RefUpdate,
  type Storage,
  scheduleCare,
} from '#git'
import type { TxContext } from '#platform/context'

export const BRANCHES = 'refs/heads/'
export const TAGS = 'refs/tags/'

/** Gives back how many branches there are now, and sees to it that packs do not pile up. */
export async function countMoved(
  ctx: TxContext,
  repositoryId: number,
  storage: Storage,
  change: RefsChange,
  done: readonly RefUpdate[],
): Promise<number> {
  const { branches } = await countChange(ctx, repositoryId, {
    branches: addedBelow(BRANCHES, done),
    tags: addedBelow(TAGS, done),
    bytes: bytesWritten(change),
  })
  await scheduleCare(ctx, storage.id, await countLivePacks(ctx.db, storage.id))
  return branches
}

function addedBelow(prefix: string, done: readonly RefUpdate[]): number {
  const refs = done.filter(({ name }) => name.startsWith(prefix))
  return refs.filter(isCreation).length - refs.filter(isDeletion).length
}

export const isCreation = (update: RefUpdate) => isZeroOid(update.old)
export const isDeletion = (update: RefUpdate) => isZeroOid(update.new)
