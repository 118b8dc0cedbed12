/** What pages show of runs and the REST interface has no operation for. */
import { type InternalOperations, internalOperation } from '#platform/rest'
import { listJobNeeds } from './lists/job-needs.ts'
import { openJobLog } from './logs/job-log.ts'
import { openRuns } from './open.ts'
import { JobPath, RunPath } from './schemas.ts'

export const runOperations = [
  internalOperation({
    operationId: 'runListJobNeeds',
    method: 'GET',
    params: RunPath,
    open: openRuns,
    handle: ({ ctx, params, opened }) => listJobNeeds(ctx, opened, params.run),
  }),
  /** Opened: lines are read when they are asked for. */
  internalOperation({
    operationId: 'runGetJobLog',
    method: 'GET',
    params: JobPath,
    open: openRuns,
    handle: ({ ctx, params, opened }) => openJobLog(ctx, opened, params.job_id),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof runOperations> {}
}
