/**
 * Milestones: what a repository wants to have done, by which day, and how many of the issues and pull requests for it
 * are open or closed. It owns the tables `milestone` and `milestone_count` and serves `/repos/:owner/:repo/milestones`.
 * It tells of nothing and hears of nothing: `issues` says by `countMoved` what comes into a milestone and what leaves it.
 */
import { defineSlice } from '#slices'
import { milestoneRoutes } from './routes.ts'

export { countInMilestones, countMoved, type IssueCounts } from './count-issues.ts'
export { type ImportedMilestone, insertImportedMilestones } from './insert-imported.ts'
export { findMilestone, findMilestoneIds, findMilestones } from './store.ts'
export type { MilestoneRow } from './tables.ts'
export { Milestone, presentMilestone } from './wire.ts'

export const slice = defineSlice({
  name: 'milestones',
  tables: ['milestone', 'milestone_count'],
  routes: milestoneRoutes,
})
