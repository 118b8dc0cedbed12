/** Lists the secrets of the user's own account, for which Gitea's REST API has only PUT and DELETE. */
import { userScope } from '#domains/code/scopes'
import { type InternalOperations, internalOperation, PageQuery, pageOf } from '#platform/rest'
import { listSecrets } from './secrets.ts'

export const secretOperations = [
  internalOperation({
    operationId: 'userListSecrets',
    method: 'GET',
    query: PageQuery,
    open: ({ ctx }) => userScope.open(ctx, {}),
    handle: ({ ctx, opened, query }) => listSecrets(ctx, opened, pageOf(ctx, query)),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof secretOperations> {}
}
