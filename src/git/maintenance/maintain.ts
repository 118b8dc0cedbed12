/** What each kind of maintenance job does. */
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import type { StorageId } from '../tables.ts'
import { collectGarbage } from './packs/collect-garbage.ts'
import { compact } from './packs/compact.ts'
import { expireGarbage } from './packs/expire-garbage.ts'
import type { Outcome } from './packs/replace-packs.ts'
import type { MaintenanceOrder } from './upkeep.ts'

const WORK: Readonly<
  Record<MaintenanceOrder['work'], (ctx: Context, storageId: StorageId) => Promise<Outcome>>
> = {
  compact,
  collect: collectGarbage,
  expire: expireGarbage,
}
const TRIES_MAX = 3

export async function maintain(ctx: Context, { storage_id, work }: MaintenanceOrder): Promise<void> {
  try {
    // After a lost race, check again: there may be less to do, or nothing.
    for (let tries = 1; tries <= TRIES_MAX; tries++)
      if ((await WORK[work](ctx, storage_id)) !== 'raced') return
  } catch (error) {
    // The repository was deleted after the job was ordered.
    if (!(error instanceof Problem && error.kind === 'not_found' && error.details.what === 'git storage'))
      throw error
  }
}
