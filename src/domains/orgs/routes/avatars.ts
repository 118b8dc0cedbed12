/** The picture of an organization over REST. */
import { Type } from 'typebox'
import { setAvatar, UpdateUserAvatarOption } from '#domains/users'
import { noContent, type Route, route } from '#platform/rest'
import { openOwnedOrg } from '../open-org.ts'

const OrgPath = Type.Object({ org: Type.String() })

export const avatarRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/orgs/:org/avatar',
    operationId: 'orgUpdateAvatar',
    tag: 'organization',
    summary: "Update an organization's avatar",
    scopes: ['organization'],
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
    tag: 'organization',
    summary: "Delete an organization's avatar",
    scopes: ['organization'],
    params: OrgPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async ({ ctx, opened }) => {
      await setAvatar(ctx, opened.id, null)
      return noContent()
    },
  }),
]
