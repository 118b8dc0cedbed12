/**
 * Runs: what workflows do when something happens. Attempts, jobs and their statuses, the tasks in which runners carry jobs
 * out, and their logs.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { actRoutes } from './acts/routes.ts'
import { logRoutes } from './downloads/routes.ts'
import { jobRoutes } from './lists/job-routes.ts'
import { runRoutes } from './lists/run-routes.ts'
import { sayStatus } from './statuses/say-status.ts'
import { runsWebhooks } from './webhooks/index.ts'

export { cancelJobs } from './cancel/cancel-jobs.ts'
export { type Concurrency, createRun, type NewJob, type NewRun } from './engine/create-run.ts'
export { githubContext } from './engine/github-context.ts'
export { RunsQuery } from './lists/filter.ts'
export { answerRuns } from './lists/run-routes.ts'
export { listRuns } from './lists/show-runs.ts'
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
  routes: [...runRoutes, ...jobRoutes, ...actRoutes, ...logRoutes],
  handlers: [handler('workflow_job.changed', sayStatus)],
  webhooks: runsWebhooks,
  emits: ['workflow_run.changed', 'workflow_job.changed', 'workflow_run.deleting'],
})
