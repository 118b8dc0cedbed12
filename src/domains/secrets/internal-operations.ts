/** Secrets of one's own account: the REST interface of the reference puts and deletes them, and has no list. */
import { asSignedIn, type InternalOperations, internalOperation, PageQuery, pageOf } from '#platform/rest'
import { listOwnSecrets } from './secrets.ts'

export const secretOperations = [
  internalOperation({
    operationId: 'userListSecrets',
    method: 'GET',
    query: PageQuery,
    open: asSignedIn,
    handle: ({ ctx, opened, query }) => listOwnSecrets(ctx, opened, pageOf(ctx, query)),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof secretOperations> {}
}
