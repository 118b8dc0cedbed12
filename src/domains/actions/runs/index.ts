/** Runs of workflows: attempts, jobs and their statuses, the tasks in which runners execute jobs, and logs. */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { actRoutes } from './acts/routes.ts'
import { logRoutes } from './downloads/routes.ts'
import { advanceJobs, advanceTasks } from './engine/advance.ts'
import { runOperations } from './internal-operations.ts'
import { jobRoutes } from './lists/job-routes.ts'
import { runRoutes } from './lists/run-routes.ts'
import { MASKS_PURPOSE } from './logs/hide-secrets.ts'
import { logJobs, sweepLogs } from './logs/join-log.ts'
import { RETENTION_SETTINGS } from './retention/config.ts'
import { retentionTasks } from './retention/tasks.ts'
import { sayStatus } from './statuses/say-status.ts'
import { SETTINGS } from './tasks/config.ts'
import { cancelAbandonedJobs, lostJobs, stopEndlessTasks, stopZombieTasks } from './tasks/lost.ts'
import { runTopic, topicHandlers } from './topic.ts'
import { runsWebhooks } from './webhooks/index.ts'

export { type ZipEntry, zip } from './downloads/zip.ts'
export { type NewRun, RUN_ID, RUN_NUMBER } from './engine/create-run.ts'
export { githubContext } from './engine/github-context.ts'
export { NO_ROOM, startRun } from './engine/start-run.ts'
export { RunsQuery } from './lists/filter.ts'
export type { JobNeeds } from './lists/job-needs.ts'
export { answerRuns } from './lists/run-routes.ts'
export { listRuns } from './lists/show-runs.ts'
export type { JobLog, TextLine } from './logs/job-log.ts'
export { type LogLine, writeLog } from './logs/write-log.ts'
export {
  getRun,
  openRuns,
  openRunsToWrite,
  type ReadableRuns,
  type WritableRuns,
} from './open.ts'
export { WAITING_HINT } from './record/change.ts'
export type { RunEvent } from './record/events.ts'
export { isDone, type Result } from './record/status.ts'
export type { AttemptRow, JobRow, Permissions, RunRow, StepRow, TaskRow } from './record/tables.ts'
export { RunPath } from './schemas.ts'
export { handBack, orderStopLostTasks } from './tasks/lost.ts'
export { type PreparedTask, prepareTask } from './tasks/prepare.ts'
export { reportTask, type StepReport } from './tasks/report.ts'
export { jobTokenIn } from './tasks/runtime-token.ts'
export {
  classOf,
  isAnyWaiting,
  TAKEN_AT_ONCE,
  type TakenTask,
  takeJobs,
  type WaitingRunner,
} from './tasks/take.ts'
export { apiOf, branchOf, WorkflowRuns } from './wire/run.ts'

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
  sealed: [{ table: 'action_task', column: 'sealed_masks', purpose: MASKS_PURPOSE }],
  routes: [...runRoutes, ...jobRoutes, ...actRoutes, ...logRoutes],
  internalOperations: runOperations,
  handlers: [handler('workflow_job.changed', sayStatus), ...topicHandlers],
  topics: [runTopic],
  webhooks: runsWebhooks,
  emits: ['workflow_run.changed', 'workflow_job.changed', 'workflow_run.deleting'],
  jobs: [...lostJobs, ...logJobs, ...advanceJobs],
  tasks: [
    { name: 'stop_zombie_tasks', schedule: '@every 5m', run: stopZombieTasks },
    { name: 'stop_endless_tasks', schedule: '@every 30m', run: stopEndlessTasks },
    { name: 'cancel_abandoned_jobs', schedule: '@every 6h', run: cancelAbandonedJobs },
    { name: 'sweep_action_logs', schedule: '@every 1h', run: sweepLogs },
    ...advanceTasks,
    ...retentionTasks,
  ],
  settings: { ...SETTINGS, ...RETENTION_SETTINGS },
})
