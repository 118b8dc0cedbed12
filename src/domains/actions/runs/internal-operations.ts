/** Operations for web pages that the REST API lacks. */
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
  /** Opens the log; lines are read on demand. */
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
