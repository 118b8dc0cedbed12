/**
 * Workflows: the language in which people write what is done when something happens. It is read and planned in a thread
 * of its own; there is no table, and no other slice, that it knows.
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
