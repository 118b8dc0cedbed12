/** Account settings that administrators set and the REST record does not have. */
import { Type } from 'typebox'
import { type InternalOperations, internalOperation } from '#platform/rest'
import { openManaged } from './accounts/open-user.ts'

export const userOperations = [
  internalOperation({
    operationId: 'adminGetUserLimits',
    method: 'GET',
    params: Type.Object({ username: Type.String() }),
    open: ({ ctx, params }) => openManaged({ ctx }, params.username),
    handle: async ({ opened: { user } }) => ({
      mayOrganize: user.may_create_organization,
      repositoriesMax: user.repositories_max,
    }),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof userOperations> {}
}
