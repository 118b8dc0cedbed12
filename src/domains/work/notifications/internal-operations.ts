/** Operations on notifications that only pages have: their reasons, and reading one by opening its issue. */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { markIssueRead } from './mark-threads.ts'
import { findNotificationReasons } from './show-threads.ts'

export const notificationOperations = [
  internalOperation({
    operationId: 'notifyGetReasons',
    method: 'GET',
    query: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
    open: asSignedIn,
    handle: ({ ctx, opened, query }) =>
      findNotificationReasons(
        ctx,
        opened,
        (query.id ?? []).map((id) => ({ id: Number(id) })),
      ),
  }),
  internalOperation({
    operationId: 'notifyReadIssue',
    method: 'POST',
    body: Type.Object({ issue_id: Type.Integer(), seen_ms_ago: Type.Integer({ minimum: 0 }) }),
    open: asSignedIn,
    handle: ({ ctx, opened, body }) =>
      markIssueRead(ctx, opened, body.issue_id, new Date(ctx.now().getTime() - body.seen_ms_ago)),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof notificationOperations> {}
}
