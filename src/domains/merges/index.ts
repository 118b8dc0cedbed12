/**
 * Merges: how pull requests land. What was checked is what lands, and what it was computed from is kept.
 */
import { defineSlice } from '#slices'
import { autoConsumers, autoHandlers, autoJobs } from './auto/when.ts'
import { closingConsumers, closingJobs } from './closing/close-issues.ts'
import { detectConsumers, detectJobs } from './merging/detect.ts'
import { mergeRoutes } from './routes.ts'

export { verifyMerges } from './doctor/verify-merges.ts'

export const slice = defineSlice({
  name: 'merges',
  tables: ['pull_merge', 'pull_auto_merge'],
  routes: mergeRoutes,
  handlers: autoHandlers,
  consumers: [...autoConsumers, ...closingConsumers, ...detectConsumers],
  jobs: [...autoJobs, ...closingJobs, ...detectJobs],
})
