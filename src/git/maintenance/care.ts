/** Care as jobs: who asks for it, when it is due, and what it does. */

import { type Context, type TxContext, transact } from '#platform/context'
import type { Tx } from '#platform/db'
import { Problem } from '#platform/problem'
import { addJobs } from '#platform/queue'
import type { StorageId } from '../tables.ts'
import { collectGarbage } from './collect-garbage.ts'
import { compact } from './compact.ts'
import { expireGarbage } from './expire-garbage.ts'
import { CARE_ATTEMPTS_MAX, COLLECTIONS_AT_ONCE, PACKS_CEILING, PACKS_FEW_MAX } from './limits.ts'
import { countLivePacks } from './pack-rows.ts'
import type { Outcome } from './replace-packs.ts'

/** The task of the queue that looks after one repository. */
export const CARE_TASK = 'git-care'

export interface CareOrder {
  readonly storage_id: StorageId
  readonly work: 'compact' | 'collect' | 'expire'
}

const WORK: Readonly<Record<CareOrder['work'], (ctx: Context, storageId: StorageId) => Promise<Outcome>>> = {
  compact,
  collect: collectGarbage,
  expire: expireGarbage,
}
const TRIES_MAX = 3
/** Events and mail go first: higher numbers come later. */
const PRIORITY = 10

export async function care(ctx: Context, { storage_id, work }: CareOrder): Promise<void> {
  try {
    // Whoever lost a race looks again: there may be less to do, or nothing.
    for (let tries = 1; tries <= TRIES_MAX; tries++)
      if ((await WORK[work](ctx, storage_id)) !== 'raced') return
  } catch (error) {
    // It was deleted since the order was given.
    if (!(error instanceof Problem && error.kind === 'not_found' && error.details.what === 'git storage'))
      throw error
  }
}

/** Part of the transaction of a push: when packs have piled up, compaction is asked for. */
export async function scheduleCare(ctx: TxContext, storageId: StorageId, livePacks: number): Promise<void> {
  if (livePacks > PACKS_FEW_MAX) await orderCare(ctx.db, [{ storage_id: storageId, work: 'compact' }])
}

/** Before a pack is published: refuses when compaction cannot keep up, and asks for it once more. */
export async function assertBelowCeiling(ctx: Context, storageId: StorageId): Promise<void> {
  const packs = await countLivePacks(ctx.db, storageId)
  if (packs <= PACKS_CEILING) return
  await transact(ctx, (ctx) => scheduleCare(ctx, storageId, packs))
  ctx.log.warn({ 'git.storage': storageId, 'git.packs': packs }, 'push was refused: too many packs')
  throw new Problem('unavailable', 'the repository is being tidied up; try again in a minute')
}

/** The key keeps an order from waiting twice; the queue keeps heavy work from being done everywhere at once. */
export async function orderCare(tx: Tx, orders: readonly CareOrder[]): Promise<void> {
  const jobs = orders.map((order) => ({
    task: CARE_TASK,
    payload: order,
    key: `${CARE_TASK}:${order.work}:${order.storage_id}`,
    attemptsMax: CARE_ATTEMPTS_MAX,
    priority: PRIORITY,
    ...(order.work === 'compact' ? {} : { queue: `${CARE_TASK}:${order.storage_id % COLLECTIONS_AT_ONCE}` }),
  }))
  await addJobs(tx, jobs)
}
