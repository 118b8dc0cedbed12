/** Internal operations for web pages: changes of an application that keep its secret. */
import { Type } from 'typebox'
import { asSignedIn, internalOperation } from '#platform/rest'
import { changeApplication } from './applications.ts'
import { ApplicationOptions, presentApplication } from './schemas.ts'

export const applicationOperations = [
  internalOperation({
    operationId: 'oauth2ChangeApplication',
    method: 'POST',
    params: Type.Object({ id: Type.Integer() }),
    body: ApplicationOptions,
    open: asSignedIn,
    handle: async ({ ctx, opened, params, body }) =>
      presentApplication(await changeApplication(ctx, opened, params.id, body)),
  }),
] as const
