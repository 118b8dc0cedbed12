/**
 * Admin: cron tasks, jobs and health of the installation. Other administration is in the slices that own the data.
 */
import { defineSlice } from '#slices'
import { adminOperations } from './internal-operations.ts'
import { adminRoutes } from './routes.ts'
import { adminTasks } from './tasks.ts'

export { CRON_JOB, planTasks, startDueTasks } from './cron.ts'
export type { Finding } from './health.ts'

export const slice = defineSlice({
  name: 'admin',
  tables: ['cron_task'],
  routes: adminRoutes,
  internalOperations: adminOperations,
  tasks: adminTasks,
})
