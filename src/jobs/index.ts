/** Jobs: what runs behind the requests. Delivery of events, cron, recovery, dead letters. */
export { type DeadJob, listDead, queueDepth, requeue } from './dead-letters.ts'
export type { Work } from './tasks.ts'
export { migrateJobs, runJobsOnce, startWorker, type Worker } from './worker.ts'
