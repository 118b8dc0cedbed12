/** Site-wide webhooks and runners. */
import type { Page } from '#platform/page'
import { hookPages } from '../../scoped/hooks.ts'
import { runnerPages } from '../../scoped/runners.ts'
import { adminScope } from '../../scoped/scopes.ts'

/**
 * Webhooks created here are system webhooks, which receive all events; default webhooks are copied into new
 * repositories.
 */
const SYSTEM = { is_system_webhook: 'true' }

export const adminScopedPages: readonly Page[] = [
  ...hookPages(adminScope, {
    list: (visit, page) => visit.list('adminListHooks', { type: 'all', page, limit: 30 }),
    get: (visit, id) => visit.ask('adminGetHook', { id }),
    create: (visit, hook) =>
      visit.ask('adminCreateHook', {}, { ...hook, config: { ...hook.config, ...SYSTEM } }),
    edit: (visit, id, hook) => visit.ask('adminEditHook', { id }, hook),
    remove: (visit, id) => visit.ask('adminDeleteHook', { id }),
    deliveries: (visit, id, page) => visit.list('adminListHookDeliveries', { id, page, limit: 30 }),
    delivery: (visit, id, delivery) => visit.ask('adminGetHookDelivery', { id, delivery }),
    redeliver: (visit, id, delivery) => visit.ask('adminRedeliverHook', { id, delivery }),
    does: {
      create: 'adminCreateHook',
      edit: 'adminEditHook',
      remove: 'adminDeleteHook',
      redeliver: 'adminRedeliverHook',
    },
  }),
  ...runnerPages(adminScope, {
    list: (visit, page) => visit.list('getAdminRunners', { page, limit: 50 }),
    token: (visit) => visit.ask('adminCreateRunnerRegistrationToken', {}),
    edit: (visit, runner_id, disabled) => visit.ask('updateAdminRunner', { runner_id }, { disabled }),
    remove: (visit, runner_id) => visit.ask('deleteAdminRunner', { runner_id }),
    does: {
      token: 'adminCreateRunnerRegistrationToken',
      edit: 'updateAdminRunner',
      remove: 'deleteAdminRunner',
    },
  }),
]
