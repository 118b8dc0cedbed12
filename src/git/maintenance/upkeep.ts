/** Ordering maintenance when packs pile up, and making room for more. */
import type { Context, TxContext } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import type { StorageId } from '../tables.ts'
import {
  COLLECTIONS_AT_ONCE,
  MAINTENANCE_ATTEMPTS_MAX,
  PACKS_CEILING,
  PACKS_FEW_MAX,
  PACKS_MAX,
} from './limits.ts'
import { countLivePacks } from './packs/pack-rows.ts'

/** Job kind of maintenance of one repository. */
export const MAINTENANCE_JOB = 'git-maintenance'

export interface MaintenanceOrder {
  readonly storage_id: StorageId
  readonly work: 'compact' | 'collect' | 'expire'
}

/** Called in the transaction that adds packs: orders compaction when there are many. */
export async function scheduleCompaction(
  ctx: TxContext,
  storageId: StorageId,
  livePacks: number,
): Promise<void> {
  if (livePacks > PACKS_FEW_MAX) await orderMaintenance(ctx, [{ storage_id: storageId, work: 'compact' }])
}

/**
 * Returns the number of live packs. Above PACKS_CEILING it joins them first, except in a transaction, which runs no git;
 * refuses when there are still more than `packsMax`.
 */
export async function makeRoomForPacks(
  ctx: Context,
  storageId: StorageId,
  { ceiling = PACKS_CEILING, packsMax = PACKS_MAX } = {},
): Promise<number> {
  let packs = await countLivePacks(ctx.db, storageId)
  if (packs > ceiling && !ctx.db.isTransaction) {
    await ctx.compactions.wait(ctx, storageId)
    packs = await countLivePacks(ctx.db, storageId)
  }
  if (packs <= packsMax) return packs
  ctx.log.warn({ 'git.storage': storageId, 'git.packs': packs }, 'write rejected: too many packs')
  throw new Problem('unavailable', 'repository maintenance is in progress, please try again later')
}

/** The key deduplicates waiting jobs; serial groups limit concurrent heavy jobs in the cluster. */
export async function orderMaintenance(ctx: TxContext, orders: readonly MaintenanceOrder[]): Promise<void> {
  const jobs = orders.map((order) => ({
    kind: MAINTENANCE_JOB,
    payload: order,
    key: `${MAINTENANCE_JOB}:${order.work}:${order.storage_id}`,
    attemptsMax: MAINTENANCE_ATTEMPTS_MAX,
    ...(order.work === 'compact'
      ? {}
      : { group: String(order.storage_id % COLLECTIONS_AT_ONCE), isSerial: true }),
  }))
  await addJobs(ctx, jobs)
}
