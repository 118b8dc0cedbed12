/**
 * Runs: what workflows do when something happens. Attempts, jobs and their statuses, the tasks in which runners carry jobs
 * out, and their logs.
 */
import { defineSlice } from '#slices'
import { advanceJobs, advanceTasks } from './engine/advance.ts'

export { advanceRun } from './engine/advance.ts'
export { type NewRun, RUN_ID, RUN_NUMBER } from './engine/create-run.ts'
export { githubContext } from './engine/github-context.ts'
export { startRun } from './engine/start-run.ts'
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
  emits: ['workflow_run.changed', 'workflow_job.changed'],
  jobs: advanceJobs,
  tasks: advanceTasks,
})
