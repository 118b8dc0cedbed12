/** Tasks that belong to no noun: sweeping what has had its time, and the names that clients expect to find. */
import { sweepEvents } from '#events/sweep'
import { collectAll, maintainStorages, sweepLostPacks, sweepPacks, sweepStorages } from '#git'
import type { CronTask } from '#platform/cron'

/** What these look after arrives with later slices; until then there is nothing of it, and they are done at once. */
async function nothingToLookAfter(): Promise<void> {}

export const adminTasks: readonly CronTask[] = [
  { name: 'deleted_branches_cleanup', schedule: '@midnight', run: nothingToLookAfter },
  { name: 'git_gc_repos', schedule: '', run: collectAll },
  { name: 'sweep_events', schedule: '@midnight', run: sweepEvents },
  { name: 'maintain_repos', schedule: '@midnight', run: maintainStorages },
  { name: 'sweep_packs', schedule: '@every 1h', run: sweepPacks },
  // By hand alone: on a copy of the database that shares the original's bucket it would delete the original's packs.
  { name: 'sweep_lost_packs', schedule: '', run: sweepLostPacks },
  { name: 'sweep_storages', schedule: '@every 1h', run: sweepStorages },
]
