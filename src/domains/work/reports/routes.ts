/** REST routes of abuse reports, for site administrators. */
import { Type } from 'typebox'
import { asSiteAdmin, listed, noContent, pageFields, pageOf, type Route, routesOf } from '#platform/rest'
import { closeReport, listReports } from './reports.ts'
import { AbuseReport, Outcome, presentReport } from './wire.ts'

const route = routesOf({ tag: 'admin', scopes: ['admin'] })

export const reportRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/reports',
    operationId: 'adminListReports',
    summary: 'List abuse reports, the latest first',
    query: Type.Object({
      closed: Type.Optional(Type.Boolean({ description: 'closed reports instead of open ones' })),
      ...pageFields,
    }),
    answers: { 200: Type.Array(AbuseReport) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, query } = visit
      const { items, total } = await listReports(ctx.db, query.closed !== true, pageOf(ctx, query))
      return listed(visit, items.map(presentReport), total)
    },
  }),
  route({
    method: 'POST',
    path: '/admin/reports/:id/close',
    operationId: 'adminCloseReport',
    summary: 'Close all open reports about the same thing',
    params: Type.Object({ id: Type.Integer() }),
    body: Type.Object({ outcome: Outcome }),
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params, body }) => {
      await closeReport(ctx, opened, params.id, body.outcome)
      return noContent()
    },
  }),
]
