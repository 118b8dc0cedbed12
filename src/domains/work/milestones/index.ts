/**
 * Milestones: goals with a due date, and counts of their open and closed issues and pull requests. Owns the tables
 * `milestone` and `milestone_count` and serves `/repos/:owner/:repo/milestones`. Has no events: `issues` calls
 * `countMoved` when an issue enters or leaves a milestone.
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
