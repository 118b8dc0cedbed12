/** Runners, which execute jobs: registration, administration and protocol. */
import { isDone } from '#domains/actions/runs'
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { runnerOperations } from './internal-operations.ts'
import { connectRoutes } from './protocol/routes.ts'
import { runnersRoutes } from './record/routes.ts'
import { deleteEphemeral } from './record/store.ts'
import { SEALED_FOR } from './registration/tokens.ts'

export { Dispatcher } from './dispatch/dispatcher.ts'
export { observeRunners } from './record/metrics.ts'
export { SEALED_FOR as REGISTRATION_PURPOSE } from './registration/tokens.ts'

export const slice = defineSlice({
  name: 'runners',
  tables: ['action_runner', 'action_runner_token'],
  sealed: [{ table: 'action_runner_token', column: 'sealed', purpose: SEALED_FOR }],
  routes: runnersRoutes,
  rawRoutes: connectRoutes,
  internalOperations: runnerOperations,
  handlers: [
    handler('workflow_job.changed', async (ctx, { job_id, status }) => {
      if (isDone(status)) await deleteEphemeral(ctx.db, job_id, ctx.now())
    }),
  ],
  settings: SETTINGS,
})
