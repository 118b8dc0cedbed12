/** The reasons of notifications, which the REST API does not return. */
import { Type } from 'typebox'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
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
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof notificationOperations> {}
}
