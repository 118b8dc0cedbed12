/** Background jobs: workers, delivery of events, cron, recovery. The queue is `platform/queue`. */
export { Hints } from './hints.ts'
export { observeQueue } from './metrics.ts'
export { runJobsOnce } from './run-once.ts'
export { kindsOf, type Work } from './tasks.ts'
export { startWorker, type Worker } from './worker.ts'
