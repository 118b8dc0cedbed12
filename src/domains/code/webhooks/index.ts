/**
 * Webhooks: subscriptions to events, and their delivery at least once.
 */
import { handler } from '#events/handler'
import { defineSlice } from '#slices'
import { SETTINGS } from './config.ts'
import { webhookConsumers } from './deliveries/consumers.ts'
import { webhookJobs, webhookTasks } from './deliveries/tasks.ts'
import { AUTHORIZATION_PURPOSE, SECRET_PURPOSE } from './hooks/hook-fields.ts'
import { copyDefaultHooks, copyHooks } from './hooks/hooks.ts'
import { webhooksRoutes } from './routes.ts'

export { interestsOf } from './event-types.ts'
export { AUTHORIZATION_PURPOSE, SECRET_PURPOSE } from './hooks/hook-fields.ts'
export { isHookType } from './hooks/hook-types.ts'

export const slice = defineSlice({
  name: 'webhooks',
  tables: ['webhook', 'webhook_payload', 'webhook_delivery', 'webhook_circuit'],
  sealed: [
    { table: 'webhook', column: 'sealed_secret', purpose: SECRET_PURPOSE },
    { table: 'webhook', column: 'sealed_authorization', purpose: AUTHORIZATION_PURPOSE },
  ],
  routes: webhooksRoutes,
  handlers: [
    handler('repository.created', (ctx, { repository_id }) => copyDefaultHooks(ctx, repository_id)),
    handler('repository.generated', async (ctx, { template_id, repository_id, wants_webhooks }) => {
      if (wants_webhooks) await copyHooks(ctx, template_id, repository_id)
    }),
  ],
  consumersFor: webhookConsumers,
  jobs: webhookJobs,
  tasks: webhookTasks,
  settings: SETTINGS,
})
