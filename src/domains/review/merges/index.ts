/**
 * Merges: how pull requests are merged. The merged commit is the one that was checked; its base, head and tree are
 * stored.
 */
import { defineSlice } from '#slices'
import { autoConsumers, autoHandlers, autoJobs } from './auto/when.ts'
import { closingConsumers, closingJobs } from './closing/close-issues.ts'
import { mergeOperations } from './internal-operations.ts'
import { detectConsumers, detectJobs } from './merging/detect.ts'
import { SETTINGS } from './queue/config.ts'
import { queueRoutes } from './queue/routes.ts'
import { queueConsumers, queueHandlers, queueJobs, queueTasks } from './queue/when.ts'
import { mergeRoutes } from './routes.ts'

export { verifyMerges } from './doctor/verify-merges.ts'
export { MergeLines } from './merging/merge-lines.ts'
export type { MergeOutlook } from './merging/outlook.ts'
export type { PullSigns } from './signs/find-signs.ts'
export type { OwnTurn, Turn } from './turns/decide-turn.ts'
export type { PullConflicts } from './updating/resolve-conflicts.ts'

export const slice = defineSlice({
  name: 'merges',
  tables: ['pull_merge', 'pull_auto_merge', 'merge_queue_entry'],
  routes: [...mergeRoutes, ...queueRoutes],
  internalOperations: mergeOperations,
  emits: ['queue.tested', 'queue.left'],
  handlers: [...autoHandlers, ...queueHandlers],
  consumers: [...autoConsumers, ...closingConsumers, ...detectConsumers, ...queueConsumers],
  jobs: [...autoJobs, ...closingJobs, ...detectJobs, ...queueJobs],
  tasks: queueTasks,
  settings: SETTINGS,
})
