/**
 * Runs: what workflows do when something happens. Attempts, jobs and their statuses, the tasks in which runners carry jobs
 * out, and their logs.
 */
import { defineSlice } from '#slices'
import { jobRoutes } from './lists/job-routes.ts'
import { runRoutes } from './lists/run-routes.ts'

export { type Concurrency, createRun, type NewJob, type NewRun } from './engine/create-run.ts'
export { githubContext } from './engine/github-context.ts'
export {
  ADVANCE_JOB,
  changeJobs,
  type JobChange,
  type LockedRun,
  lockRun,
  orderAdvance,
  tellJobs,
  WAITING_HINT,
} from './record/change.ts'
export type { RunEvent } from './record/events.ts'
export { combine, isDone, type Result, STATUSES, type Status } from './record/status.ts'
export type { AttemptRow, JobRow, Permissions, RunRow, StepRow, TaskRow } from './record/tables.ts'

export { answerRuns } from './lists/run-routes.ts'
export { listRuns } from './lists/show-runs.ts'
export { RunsQuery } from './lists/filter.ts'
export { WorkflowRuns } from './wire/run.ts'

export const slice = defineSlice({
  name: 'runs',
  tables: [
    'action_run',
    'action_run_number',
    'action_attempt',
    'action_job',
    'action_task',
    'action_step',
    'action_log_piece',
  ],
  routes: [...runRoutes, ...jobRoutes],
  emits: ['workflow_run.changed', 'workflow_job.changed'],
})
