/** Ordering maintenance when packs pile up, and refusing pushes when there are too many. */
import { asPreparation, type Context, type TxContext, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import type { StorageId } from '../tables.ts'
import { COLLECTIONS_AT_ONCE, MAINTENANCE_ATTEMPTS_MAX, PACKS_CEILING, PACKS_FEW_MAX } from './limits.ts'
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

/** Returns the number of packs. Refuses when compaction cannot keep up, and orders it once more. */
export async function assertRoomForPacks(
  ctx: Context,
  storageId: StorageId,
  ceiling = PACKS_CEILING,
): Promise<number> {
  const packs = await countLivePacks(ctx.db, storageId)
  if (packs <= ceiling) return packs
  await transact(asPreparation(ctx), (ctx) => scheduleCompaction(ctx, storageId, packs))
  ctx.log.warn({ 'git.storage': storageId, 'git.packs': packs }, 'push rejected: too many packs')
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
