/** Routes that serve avatars of accounts by the URLs in records, and by the name of an account. */
import { Type } from 'typebox'
import { notFound } from '#platform/problem'
import { asAnybody, type RawRoute, rawRoute, SANDBOX } from '#platform/rest'
import { openUser } from '../accounts/open-user.ts'
import { avatarUrl } from '../wire.ts'
import { type FindPictureOwner, findAvatarOwner, findPicture } from './pictures.ts'

/** An avatar never changes under its URL, but a replaced one should disappear soon. */
const CACHE = 'public, max-age=21600'

export const pictureRoutes: readonly RawRoute[] = [
  pictureRoute('/avatars/:name', 'getAvatar', findAvatarOwner),
  rawRoute({
    method: 'GET',
    path: '/:owner.png',
    operationId: 'webGetPicture',
    scopes: ['user'],
    takesSession: true,
    params: Type.Object({ owner: Type.String({ maxLength: 100 }) }),
    open: ({ ctx, params }) => openUser(ctx, params.owner),
    handle: async ({ ctx, opened }) => ({
      status: 302,
      headers: { location: avatarUrl(opened, ctx.site) },
      body: undefined,
    }),
  }),
]

export function pictureRoute(path: string, operationId: string, findOwner: FindPictureOwner): RawRoute {
  return rawRoute({
    method: 'GET',
    path,
    operationId,
    scopes: [],
    params: Type.Object({ name: Type.String() }),
    open: asAnybody,
    handle: async ({ ctx, params: { name } }) => {
      const picture = await findPicture(ctx, name, findOwner)
      if (picture === undefined) throw notFound('avatar', name)
      const headers = {
        'content-type': picture.type,
        'cache-control': CACHE,
        'content-security-policy': SANDBOX,
      }
      return { status: 200, headers, body: picture.bytes }
    },
  })
}
