/**
 * Statuses: the results of checks on commits, single and combined.
 */

import { defineSlice } from '#slices'
import { statusesOperations } from './internal-operations.ts'
import { statusesRoutes } from './routes.ts'
import { statusesWebhooks } from './webhooks.ts'

export type { State } from './combine.ts'
export type { StatusEvent } from './events.ts'
export { findRequiredState } from './find-required.ts'
export { loadStates } from './load-states.ts'
export { setStatus } from './set-status.ts'
export { findStatus } from './store.ts'

export const slice = defineSlice({
  name: 'statuses',
  tables: ['commit_status'],
  routes: statusesRoutes,
  internalOperations: statusesOperations,
  emits: ['status.created'],
  webhooks: statusesWebhooks,
})
