/** Secrets and variables that repositories, organizations and users define for workflows. Secrets are encrypted. */
import { defineSlice } from '#slices'
import { secretOperations } from './internal-operations.ts'
import { secretsRoutes } from './routes.ts'
import { SEALED_FOR } from './secrets.ts'

export { findSecrets, findVariables } from './for-jobs.ts'
export { SEALED_FOR as SECRET_PURPOSE } from './secrets.ts'

export const slice = defineSlice({
  name: 'secrets',
  tables: ['action_secret', 'action_variable'],
  sealed: [{ table: 'action_secret', column: 'sealed', purpose: SEALED_FOR }],
  routes: secretsRoutes,
  internalOperations: secretOperations,
})
