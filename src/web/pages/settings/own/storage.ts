/** Storage of the user. */
import { html, type Page, page } from '#platform/page'
import { usageTable } from '../../../parts/usage.ts'
import { userScope } from '../../../scoped/scopes.ts'
import { storageWords as words } from '../../../words/storage.ts'

const storagePage = page({
  path: '/user/settings/storage',
  requiresSignIn: true,
  load: async (visit) => ({
    frame: await userScope.open(visit, 'storage'),
    usage: await visit.ask('userGetUsage', {}),
  }),
  show: ({ frame, usage }) =>
    frame({
      title: words.title,
      body: html`<h1>${words.title}</h1><p>${words.help}</p>${usageTable(usage)}`,
    }),
})

export const ownStoragePages: readonly Page[] = [storagePage]
