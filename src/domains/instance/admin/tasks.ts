/** Cron tasks that belong to no other slice: sweeps, and task names that clients of the reference expect. */
import { sweepEvents } from '#events/sweep'
import { collectAll, maintainStorages, sweepLostPacks, sweepPacks, sweepStorages } from '#git'
import type { CronTask } from '#platform/cron'

/** For tasks of the reference that have nothing to do here. */
async function nothingToLookAfter(): Promise<void> {}

export const adminTasks: readonly CronTask[] = [
  { name: 'deleted_branches_cleanup', schedule: '@midnight', run: nothingToLookAfter },
  { name: 'git_gc_repos', schedule: '', run: collectAll },
  { name: 'sweep_events', schedule: '@midnight', run: sweepEvents },
  { name: 'maintain_repos', schedule: '@midnight', run: maintainStorages },
  { name: 'sweep_packs', schedule: '@every 1h', run: sweepPacks },
  // Manual only: on a database copy that shares the original's bucket it would delete the original's packs.
  { name: 'sweep_lost_packs', schedule: '', run: sweepLostPacks },
  { name: 'sweep_storages', schedule: '@every 1h', run: sweepStorages },
]
