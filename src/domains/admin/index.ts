/**
 * Admin: what an administrator sees of the machine room. What they do to a noun lives with the noun.
 *
 * Owns    table `cron_task`
 * Serves  /admin/cron, and the deletion of people, which reaches across slices
 */
export { CRON_JOB, planTasks, startDueTasks } from './cron.ts'
export { adminRoutes } from './routes.ts'
export { adminTasks } from './tasks.ts'
