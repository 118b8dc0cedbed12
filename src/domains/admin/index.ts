/**
 * Admin: what an administrator sees of the machine room. What they do to a noun lives with the noun.
 */
import { defineSlice } from '#slices'
import { adminRoutes } from './routes.ts'
import { adminTasks } from './tasks.ts'

export { CRON_JOB, planTasks, startDueTasks } from './cron.ts'
export { type Finding, lookAtHealth } from './health.ts'

export const slice = defineSlice({
  name: 'admin',
  tables: ['cron_task'],
  routes: adminRoutes,
  tasks: adminTasks,
})
