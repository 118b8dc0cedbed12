/** Operations of the pages that report abuse and of moderation. */
import { Type } from 'typebox'
import { asSiteAdmin, type InternalOperations, internalOperation, pageFields, pageOf } from '#platform/rest'
import { openTarget } from './open-target.ts'
import { closeReport, listReports, reportAbuse } from './reports.ts'

const BODY_MAX = 5_000
const Category = Type.Union([
  Type.Literal('spam'),
  Type.Literal('malware'),
  Type.Literal('harassment'),
  Type.Literal('illegal'),
  Type.Literal('other'),
])
const Target = Type.Object({
  owner: Type.String(),
  repo: Type.Optional(Type.String()),
  index: Type.Optional(Type.Integer()),
  comment: Type.Optional(Type.Integer()),
})

export const reportOperations = [
  /** The path of what is to be reported. */
  internalOperation({
    operationId: 'reportGetTarget',
    method: 'GET',
    query: Target,
    open: openTarget,
    handle: async ({ opened }) => opened.path,
  }),
  internalOperation({
    operationId: 'reportAbuse',
    method: 'POST',
    query: Target,
    body: Type.Object({
      category: Category,
      body: Type.String({ minLength: 1, maxLength: BODY_MAX }),
    }),
    open: openTarget,
    handle: ({ ctx, opened, body }) => reportAbuse(ctx, opened, body),
  }),
  internalOperation({
    operationId: 'adminListReports',
    method: 'GET',
    query: Type.Object({ ...pageFields, closed: Type.Optional(Type.Boolean()) }),
    open: asSiteAdmin,
    handle: ({ ctx, query }) => listReports(ctx.db, query.closed !== true, pageOf(ctx, query)),
  }),
  internalOperation({
    operationId: 'adminCloseReport',
    method: 'POST',
    params: Type.Object({ id: Type.Integer() }),
    body: Type.Object({ outcome: Type.Union([Type.Literal('dismissed'), Type.Literal('acted')]) }),
    open: asSiteAdmin,
    handle: ({ ctx, opened, params, body }) => closeReport(ctx, opened, params.id, body.outcome),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof reportOperations> {}
}
