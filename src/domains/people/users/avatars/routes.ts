/** REST routes of the caller's avatar. */
import { asSignedIn, noContent, type Route, routesOf } from '#platform/rest'
import { UpdateUserAvatarOption } from '../schemas.ts'
import { setAvatar } from './pictures.ts'

const route = routesOf({ tag: 'user', scopes: ['user'], refusesPublicOnly: true })

export const avatarRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/user/avatar',
    operationId: 'userUpdateAvatar',
    summary: "Update the authenticated user's avatar",
    bearsContent: true,
    body: UpdateUserAvatarOption,
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      await setAvatar(ctx, opened.id, body.image)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/avatar',
    operationId: 'userDeleteAvatar',
    summary: "Delete the authenticated user's avatar",
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => {
      await setAvatar(ctx, opened.id, null)
      return noContent()
    },
  }),
]
