/** The picture of a repository over REST. */
import { noContent, type Route, route } from '#platform/rest'
import { setPicture } from '../edit-picture.ts'
import { openToAdmin } from '../open-repository.ts'
import { RepositoryPath, UpdatePicture } from '../schemas.ts'

export const avatarRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/avatar',
    operationId: 'repoUpdateAvatar',
    tag: 'repository',
    summary: "Update a repository's avatar",
    scopes: ['repository'],
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
    tag: 'repository',
    summary: "Delete a repository's avatar",
    scopes: ['repository'],
    params: RepositoryPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened }) => {
      await setPicture(ctx, opened, null)
      return noContent()
    },
  }),
]
