/**
 * Webhooks: who wants to be told what happens, and telling them, at least once each.
 *
 * Owns    tables `webhook`, `webhook_payload`, `webhook_delivery`, `webhook_circuit`
 * Serves  /repos/:owner/:repo/hooks, /orgs/:org/hooks, /user/hooks, /admin/hooks and what is below them
 * Hears   push.received, repository.created, .deleted, .renamed, .forked
 */
export { webhookConsumers } from './consumers.ts'
export { copyDefaultHooks, copyHooks } from './hooks.ts'
export { webhooksRoutes } from './routes/index.ts'
export { webhookJobs, webhookTasks } from './tasks.ts'
