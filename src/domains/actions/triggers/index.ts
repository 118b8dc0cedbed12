/** Triggers: start workflow runs on webhook events, schedules and dispatches. */
import { defineSlice } from '#slices'
import { triggersRoutes } from './routes.ts'
import { scheduleConsumers, scheduleJobs, scheduleTasks } from './schedules/schedules.ts'
import { triggerConsumers } from './start/consumers.ts'
import { startJobs } from './start/start-ordered.ts'

export { KnownWorkflows } from './files/find-workflows.ts'

export const slice = defineSlice({
  name: 'triggers',
  tables: ['action_workflow_off', 'action_schedule'],
  routes: triggersRoutes,
  consumers: scheduleConsumers,
  consumersFor: triggerConsumers,
  jobs: [...scheduleJobs, ...startJobs],
  tasks: scheduleTasks,
})
