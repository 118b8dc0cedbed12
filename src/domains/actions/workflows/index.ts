/**
 * Workflows: the workflow language. Files are parsed and planned in a worker thread. This slice has no tables and
 * depends on no other slice.
 */
import { defineSlice } from '#slices'

export { planFirst, planNext, readSteps, readWorkflow } from './ask.ts'
export { type Happening, matches, matchesPaths } from './language/matches.ts'
export type { Input, Trigger } from './language/triggers.ts'
export type {
  FirstPlan,
  JobChange as PlannedChange,
  JobPlan,
  JobState,
  NextPlan,
  PlannedJob,
  WorkflowFile,
} from './planning/types.ts'

export const slice = defineSlice({ name: 'workflows' })
