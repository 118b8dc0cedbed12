/** Webhooks, secrets, variables and runners of an organization. */
import type { Page } from '#platform/page'
import { hookPages } from '../../../scoped/hooks.ts'
import { runnerPages, runnersOf } from '../../../scoped/runners.ts'
import { organizationOf as of, organizationScope } from '../../../scoped/scopes.ts'
import { secretPages } from '../../../scoped/secrets.ts'

export const organizationScopedPages: readonly Page[] = [
  ...hookPages(organizationScope, {
    list: (visit, page) => visit.list('orgListHooks', { ...of(visit), page, limit: 30 }),
    get: (visit, id) => visit.ask('orgGetHook', { ...of(visit), id }),
    create: (visit, hook) => visit.ask('orgCreateHook', of(visit), hook),
    edit: (visit, id, hook) => visit.ask('orgEditHook', { ...of(visit), id }, hook),
    remove: (visit, id) => visit.ask('orgDeleteHook', { ...of(visit), id }),
    deliveries: (visit, id, page) =>
      visit.list('orgListHookDeliveries', { ...of(visit), id, page, limit: 30 }),
    delivery: (visit, id, delivery) => visit.ask('orgGetHookDelivery', { ...of(visit), id, delivery }),
    redeliver: (visit, id, delivery) => visit.ask('orgRedeliverHook', { ...of(visit), id, delivery }),
    does: {
      create: 'orgCreateHook',
      edit: 'orgEditHook',
      remove: 'orgDeleteHook',
      redeliver: 'orgRedeliverHook',
    },
  }),
  ...secretPages(organizationScope, {
    secrets: (visit, page) => visit.list('orgListActionsSecrets', { ...of(visit), page, limit: 50 }),
    putSecret: (visit, { name, value, description }) =>
      visit.ask('updateOrgSecret', { ...of(visit), secretname: name }, { data: value, description }),
    dropSecret: (visit, secretname) => visit.ask('deleteOrgSecret', { ...of(visit), secretname }),
    variables: (visit, page) => visit.list('getOrgVariablesList', { ...of(visit), page, limit: 50 }),
    addVariable: (visit, { name, value, description }) =>
      visit.ask('createOrgVariable', { ...of(visit), variablename: name }, { value, description }),
    editVariable: (visit, { name, value, description }) =>
      visit.ask('updateOrgVariable', { ...of(visit), variablename: name }, { value, description }),
    dropVariable: (visit, variablename) => visit.ask('deleteOrgVariable', { ...of(visit), variablename }),
    does: {
      putSecret: 'updateOrgSecret',
      dropSecret: 'deleteOrgSecret',
      addVariable: 'createOrgVariable',
      editVariable: 'updateOrgVariable',
      dropVariable: 'deleteOrgVariable',
    },
  }),
  ...runnerPages(organizationScope, {
    list: async (visit, page) =>
      runnersOf(await visit.ask('getOrgRunners', { ...of(visit), page, limit: 50 })),
    token: (visit) => visit.ask('orgCreateRunnerRegistrationToken', of(visit)),
    edit: (visit, runner_id, disabled) =>
      visit.ask('updateOrgRunner', { ...of(visit), runner_id }, { disabled }),
    remove: (visit, runner_id) => visit.ask('deleteOrgRunner', { ...of(visit), runner_id }),
    does: { token: 'orgCreateRunnerRegistrationToken', edit: 'updateOrgRunner', remove: 'deleteOrgRunner' },
  }),
]
