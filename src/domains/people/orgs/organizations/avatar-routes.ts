/** REST routes of an organization's avatar. */

import { setAvatar, UpdateUserAvatarOption } from '#domains/people/users'
import { noContent, type Route, routesOf } from '#platform/rest'
import { OrgPath } from '../schemas.ts'
import { openOwnedOrg } from './open-org.ts'

const route = routesOf({ tag: 'organization', scopes: ['organization'] })

export const avatarRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/orgs/:org/avatar',
    operationId: 'orgUpdateAvatar',
    summary: "Update an organization's avatar",
    bearsContent: true,
    params: OrgPath,
    body: UpdateUserAvatarOption,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened, body }) => {
      await setAvatar(ctx, opened.id, body.image)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/avatar',
    operationId: 'orgDeleteAvatar',
    summary: "Delete an organization's avatar",
    params: OrgPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened }) => {
      await setAvatar(ctx, opened.id, null)
      return noContent()
    },
  }),
]
