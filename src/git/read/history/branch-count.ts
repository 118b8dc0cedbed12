/** How many commits are reachable from the tip of a branch: counted by one node after each move and stored for all. */

import { sql } from 'kysely'
import type { Context } from '#platform/context'
import type { Tx } from '#platform/db'
import type { StorageId } from '../../tables.ts'
import { isUnreadable } from '../with-repository.ts'
import { countDistance } from './compare.ts'
import { countCommits } from './log.ts'

export interface BranchCount {
  readonly name: string
  readonly oid: string
  readonly commits: number
}

/** Walks only commits added or dropped since the last count. */
export async function countBranch(
  ctx: Context,
  storageId: StorageId,
  name: string,
  oid: string,
): Promise<BranchCount> {
  const last = await ctx.db
    .selectFrom('git_branch_count')
    .select(['oid', 'commits'])
    .where('storage_id', '=', storageId)
    .where('name', '=', name)
    .executeTakeFirst()
  const onward = last && (await countOnward(ctx, storageId, last, oid))
  return { name, oid, commits: onward ?? (await countCommits(ctx, storageId, { start: oid })) }
}

/** Undefined when the previous tip has been swept since. */
async function countOnward(
  ctx: Context,
  storageId: StorageId,
  last: Pick<BranchCount, 'oid' | 'commits'>,
  oid: string,
): Promise<number | undefined> {
  try {
    const { ahead, behind } = await countDistance(ctx, storageId, last.oid, oid)
    return last.commits + ahead - behind
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return undefined
  }
}

export async function keepBranchCount(
  tx: Tx,
  storageId: StorageId,
  { name, oid, commits }: BranchCount,
): Promise<void> {
  await tx
    .insertInto('git_branch_count')
    .values({ storage_id: storageId, name, oid, commits })
    .onConflict((conflict) => conflict.columns(['storage_id', 'name']).doUpdateSet({ oid, commits }))
    .execute()
}

export async function forgetBranchCounts(
  tx: Tx,
  storageId: StorageId,
  names: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('git_branch_count')
    .where('storage_id', '=', storageId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
}
