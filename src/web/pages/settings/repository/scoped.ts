/** Webhooks, secrets, variables and runners of a repository. */
import type { Page } from '#platform/page'
import { hookPages } from '../../../scoped/hooks.ts'
import { runnerPages, runnersOf } from '../../../scoped/runners.ts'
import { repositoryOf as of, repositoryScope } from '../../../scoped/scopes.ts'
import { secretPages } from '../../../scoped/secrets.ts'

export const repositoryScopedPages: readonly Page[] = [
  ...hookPages(repositoryScope, {
    list: (visit, page) => visit.list('repoListHooks', { ...of(visit), page, limit: 30 }),
    get: (visit, id) => visit.ask('repoGetHook', { ...of(visit), id }),
    create: (visit, hook) => visit.ask('repoCreateHook', of(visit), hook),
    edit: (visit, id, hook) => visit.ask('repoEditHook', { ...of(visit), id }, hook),
    remove: (visit, id) => visit.ask('repoDeleteHook', { ...of(visit), id }),
    test: (visit, id) => visit.ask('repoTestHook', { ...of(visit), id }),
    deliveries: (visit, id, page) =>
      visit.list('repoListHookDeliveries', { ...of(visit), id, page, limit: 30 }),
    delivery: (visit, id, delivery) => visit.ask('repoGetHookDelivery', { ...of(visit), id, delivery }),
    redeliver: (visit, id, delivery) => visit.ask('repoRedeliverHook', { ...of(visit), id, delivery }),
    does: {
      create: 'repoCreateHook',
      edit: 'repoEditHook',
      remove: 'repoDeleteHook',
      redeliver: 'repoRedeliverHook',
      test: 'repoTestHook',
    },
  }),
  ...secretPages(repositoryScope, {
    secrets: (visit, page) => visit.list('repoListActionsSecrets', { ...of(visit), page, limit: 50 }),
    putSecret: (visit, { name, value, description }) =>
      visit.ask('updateRepoSecret', { ...of(visit), secretname: name }, { data: value, description }),
    dropSecret: (visit, secretname) => visit.ask('deleteRepoSecret', { ...of(visit), secretname }),
    variables: (visit, page) => visit.list('getRepoVariablesList', { ...of(visit), page, limit: 50 }),
    addVariable: (visit, { name, value, description }) =>
      visit.ask('createRepoVariable', { ...of(visit), variablename: name }, { value, description }),
    editVariable: (visit, { name, value, description }) =>
      visit.ask('updateRepoVariable', { ...of(visit), variablename: name }, { value, description }),
    dropVariable: (visit, variablename) => visit.ask('deleteRepoVariable', { ...of(visit), variablename }),
    does: {
      putSecret: 'updateRepoSecret',
      dropSecret: 'deleteRepoSecret',
      addVariable: 'createRepoVariable',
      editVariable: 'updateRepoVariable',
      dropVariable: 'deleteRepoVariable',
    },
  }),
  ...runnerPages(repositoryScope, {
    list: async (visit, page) =>
      runnersOf(await visit.ask('getRepoRunners', { ...of(visit), page, limit: 50 })),
    token: (visit) => visit.ask('repoCreateRunnerRegistrationToken', of(visit)),
    edit: (visit, runner_id, disabled) =>
      visit.ask('updateRepoRunner', { ...of(visit), runner_id }, { disabled }),
    remove: (visit, runner_id) => visit.ask('deleteRepoRunner', { ...of(visit), runner_id }),
    does: {
      token: 'repoCreateRunnerRegistrationToken',
      edit: 'updateRepoRunner',
      remove: 'deleteRepoRunner',
    },
  }),
]
