/** The audit log of an organization. */
import { type Page, page } from '#platform/page'
import { auditFilter, auditLog } from '../../../parts/audit.ts'
import { organizationOf, organizationScope } from '../../../scoped/scopes.ts'
import { auditWords as words } from '../../../words/audit.ts'

const auditPage = page({
  path: '/org/:org/settings/audit',
  requiresSignIn: true,
  load: async (visit) => {
    const frame = await organizationScope.open(visit, 'audit')
    const filter = await auditFilter(visit)
    const given = { ...filter, ...organizationOf(visit) }
    return { frame, records: filter === null ? [] : await visit.ask('orgListAudit', given) }
  },
  show: ({ frame, records }, visit) =>
    frame({ title: words.title, body: auditLog(visit, words.organizationHelp, records) }),
})

export const organizationAuditPages: readonly Page[] = [auditPage]
