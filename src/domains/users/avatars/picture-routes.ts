/** Pictures by their addresses, which stand in the records of people, organizations and repositories. */
import { Type } from 'typebox'
import { notFound } from '#platform/problem'
import { asAnybody, type RawRoute, rawRoute, SANDBOX } from '#platform/rest'
import { findPicture } from './pictures.ts'

/** A picture never changes under its address, but whoever has another one should be seen with it soon. */
const CACHE = 'public, max-age=21600'

export const pictureRoutes: readonly RawRoute[] = [
  pictureRoute('/avatars/:name', 'getAvatar'),
  pictureRoute('/repo-avatars/:name', 'getRepoAvatar'),
]

function pictureRoute(path: string, operationId: string): RawRoute {
  return rawRoute({
    method: 'GET',
    path,
    operationId,
    scopes: [],
    params: Type.Object({ name: Type.String() }),
    open: asAnybody,
    handle: async ({ ctx, params: { name } }) => {
      const picture = await findPicture(ctx, name)
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
