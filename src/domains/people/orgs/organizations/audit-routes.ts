/** The audit log of an organization: what was done to it and its repositories. */
import { Type } from 'typebox'
import {
  AuditQuery,
  filterOf,
  limitOf,
  listRecords,
  nextLink,
  OrgAuditRecord,
  presentForOrg,
} from '#domains/instance/audit'
import { ok, type Route, route } from '#platform/rest'
import { OrgPath } from '../schemas.ts'
import { openOwnedOrg } from './open-org.ts'

export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs/:org/audit',
    operationId: 'orgListAudit',
    tag: 'organization',
    summary: "List an organization's audit records, newest first",
    scopes: ['organization'],
    params: OrgPath,
    query: AuditQuery,
    answers: { 200: Type.Array(OrgAuditRecord) },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const limit = limitOf(ctx, query)
      const records = await listRecords(ctx.db, { ...filterOf(query), owner_id: opened.id }, limit)
      return { ...ok(records.map(presentForOrg)), headers: nextLink(visit, records, limit) }
    },
  }),
]
