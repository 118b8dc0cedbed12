/** Storage of an organization. */
import { html, type Page, page } from '#platform/page'
import { usageTable } from '../../../parts/usage.ts'
import { organizationOf, organizationScope } from '../../../scoped/scopes.ts'
import { storageWords as words } from '../../../words/storage.ts'

const storagePage = page({
  path: '/org/:org/settings/storage',
  requiresSignIn: true,
  load: async (visit) => ({
    frame: await organizationScope.open(visit, 'storage'),
    usage: await visit.ask('orgGetUsage', organizationOf(visit)),
  }),
  show: ({ frame, usage }) =>
    frame({
      title: words.title,
      body: html`<h1>${words.title}</h1><p>${words.help}</p>${usageTable(usage)}`,
    }),
})

export const organizationStoragePages: readonly Page[] = [storagePage]
