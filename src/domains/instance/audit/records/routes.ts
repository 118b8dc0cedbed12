/** The audit log over REST. That of an organization is a route of the slice `orgs`, which knows its owners. */
import { Type } from 'typebox'
import { asSiteAdmin, ok, type Route, route } from '#platform/rest'
import { listRecords } from './list-records.ts'
import { AuditQuery, filterOf, limitOf, nextLink } from './query.ts'
import { AuditRecord, presentRecord } from './wire.ts'

export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/audit',
    operationId: 'adminListAudit',
    tag: 'admin',
    summary: 'List audit records, newest first',
    scopes: ['admin'],
    query: AuditQuery,
    answers: { 200: Type.Array(AuditRecord) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, query } = visit
      const limit = limitOf(ctx, query)
      const records = await listRecords(ctx.db, filterOf(query), limit)
      return { ...ok(records.map(presentRecord)), headers: nextLink(visit, records, limit) }
    },
  }),
]
