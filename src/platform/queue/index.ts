/** The queue: jobs are rows of `job`. All code that reads or writes that table is here; `src/jobs` runs the workers. */
export {
  addJobs,
  endWithEffect,
  type HearJob,
  type HeldJob,
  hintJob,
  insertJobsFrom,
  type JobHints,
  type JobKind,
  type NewJob,
} from './add.ts'
export { type DeadJob, listDead, requeue } from './dead.ts'
export { countSealedJobs, type QueueState, readQueue } from './state.ts'
export {
  endJobs,
  failJob,
  freeLostJobs,
  leaveJob,
  lookAhead,
  retireWorkers,
  takeJobs,
  UnknownToThisVersion,
} from './take.ts'
export { tracedJob } from './trace.ts'
