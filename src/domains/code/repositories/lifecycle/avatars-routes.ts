/** Routes of a repository's avatar: REST to change it, and its address in records. */
import { pictureRoute } from '#domains/people/users'
import { noContent, type RawRoute, type Route, routesOf } from '#platform/rest'
import { openToAdmin } from '../access/open-repository.ts'
import { RepositoryPath, UpdatePicture } from '../schemas.ts'
import { findPictureOwner, setPicture } from './edit-picture.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })

export const avatarRawRoutes: readonly RawRoute[] = [
  pictureRoute('/repo-avatars/:name', 'getRepoAvatar', findPictureOwner),
]

export const avatarRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/avatar',
    operationId: 'repoUpdateAvatar',
    summary: "Update a repository's avatar",
    bearsContent: true,
    params: RepositoryPath,
    body: UpdatePicture,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened, body }) => {
      await setPicture(ctx, opened, body.image)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/avatar',
    operationId: 'repoDeleteAvatar',
    summary: "Delete a repository's avatar",
    params: RepositoryPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened }) => {
      await setPicture(ctx, opened, null)
      return noContent()
    },
  }),
]
