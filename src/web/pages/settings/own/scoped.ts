/** Webhooks, secrets, variables and runners of the user. */
import type { Page } from '#platform/page'
import { hookPages } from '../../../scoped/hooks.ts'
import { runnerPages, runnersOf } from '../../../scoped/runners.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { secretPages } from '../../../scoped/secrets.ts'

const LIMIT = 50

export const ownScopedPages: readonly Page[] = [
  ...hookPages(userScope, {
    list: (visit, page) => visit.list('userListHooks', { page, limit: 30 }),
    get: (visit, id) => visit.ask('userGetHook', { id }),
    create: (visit, hook) => visit.ask('userCreateHook', {}, hook),
    edit: (visit, id, hook) => visit.ask('userEditHook', { id }, hook),
    remove: (visit, id) => visit.ask('userDeleteHook', { id }),
    deliveries: (visit, id, page) => visit.list('userListHookDeliveries', { id, page, limit: 30 }),
    delivery: (visit, id, delivery) => visit.ask('userGetHookDelivery', { id, delivery }),
    redeliver: (visit, id, delivery) => visit.ask('userRedeliverHook', { id, delivery }),
    does: {
      create: 'userCreateHook',
      edit: 'userEditHook',
      remove: 'userDeleteHook',
      redeliver: 'userRedeliverHook',
    },
  }),
  ...secretPages(userScope, {
    secrets: async ({ ask }, page) => {
      const { items, total } = await ask('userListSecrets', { page, limit: LIMIT })
      const wired = items.map((it) => ({ ...it, created_at: it.created_at.toISOString() }))
      return { items: wired, total }
    },
    putSecret: (visit, { name, value, description }) =>
      visit.ask('updateUserSecret', { secretname: name }, { data: value, description }),
    dropSecret: (visit, secretname) => visit.ask('deleteUserSecret', { secretname }),
    variables: (visit, page) => visit.list('getUserVariablesList', { page, limit: 50 }),
    addVariable: (visit, { name, value, description }) =>
      visit.ask('createUserVariable', { variablename: name }, { value, description }),
    editVariable: (visit, { name, value, description }) =>
      visit.ask('updateUserVariable', { variablename: name }, { value, description }),
    dropVariable: (visit, variablename) => visit.ask('deleteUserVariable', { variablename }),
    does: {
      putSecret: 'updateUserSecret',
      dropSecret: 'deleteUserSecret',
      addVariable: 'createUserVariable',
      editVariable: 'updateUserVariable',
      dropVariable: 'deleteUserVariable',
    },
  }),
  ...runnerPages(userScope, {
    list: async (visit, page) => runnersOf(await visit.ask('getUserRunners', { page, limit: 50 })),
    token: (visit) => visit.ask('userCreateRunnerRegistrationToken', {}),
    edit: (visit, runner_id, disabled) => visit.ask('updateUserRunner', { runner_id }, { disabled }),
    remove: (visit, runner_id) => visit.ask('deleteUserRunner', { runner_id }),
    does: {
      token: 'userCreateRunnerRegistrationToken',
      edit: 'updateUserRunner',
      remove: 'deleteUserRunner',
    },
  }),
]
