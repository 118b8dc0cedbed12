/** One's own picture over REST. */
import { asSignedIn, noContent, type Route, route } from '#platform/rest'
import { setAvatar } from '../pictures.ts'
import { UpdateUserAvatarOption } from '../schemas.ts'

export const avatarRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/user/avatar',
    operationId: 'userUpdateAvatar',
    tag: 'user',
    summary: "Update the authenticated user's avatar",
    scopes: ['user'],
    refusesPublicOnly: true,
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
    tag: 'user',
    summary: "Delete the authenticated user's avatar",
    scopes: ['user'],
    refusesPublicOnly: true,
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => {
      await setAvatar(ctx, opened.id, null)
      return noContent()
    },
  }),
]
