/** The audit log of the forge. */
import { type Page, page } from '#platform/page'
import { auditFilter, auditLog } from '../../parts/audit.ts'
import { adminScope } from '../../scoped/scopes.ts'
import { auditWords as words } from '../../words/audit.ts'

const auditPage = page({
  path: '/-/admin/audit',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await adminScope.open(visit, 'audit')
    const filter = await auditFilter(visit)
    return { frame, records: filter === null ? [] : await visit.ask('adminListAudit', filter) }
  },
  show: ({ frame, records }, visit) =>
    frame({ title: words.title, body: auditLog(visit, words.siteHelp, records) }),
})

export const auditPages: readonly Page[] = [auditPage]
