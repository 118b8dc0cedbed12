/** Account settings that administrators set and the REST record does not have. */
import { Type } from 'typebox'
import { asSiteAdmin, type InternalOperations, internalOperation } from '#platform/rest'
import { openManaged } from './accounts/open-user.ts'
import { liftSuspension, openToSuspend, selectSuspensions, suspend } from './suspension/suspension.ts'

const REASON_MAX = 5_000

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
  internalOperation({
    operationId: 'adminSuspendAccount',
    method: 'POST',
    params: Type.Object({ username: Type.String() }),
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: REASON_MAX }) }),
    open: ({ ctx, params }) => openToSuspend({ ctx }, params.username),
    handle: ({ ctx, opened: { admin, account }, body }) => suspend(ctx, admin, account, body.reason),
  }),
  internalOperation({
    operationId: 'adminLiftSuspension',
    method: 'POST',
    params: Type.Object({ username: Type.String() }),
    open: ({ ctx, params }) => openToSuspend({ ctx }, params.username),
    handle: ({ ctx, opened: { admin, account } }) => liftSuspension(ctx, admin, account),
  }),
  internalOperation({
    operationId: 'adminListSuspensions',
    method: 'GET',
    open: asSiteAdmin,
    handle: ({ ctx }) => selectSuspensions(ctx.db).execute(),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof userOperations> {}
}
