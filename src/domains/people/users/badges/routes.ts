/** REST routes of users' badges, for site administrators. */

import { Type } from 'typebox'
import { listed, noContent, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { openManaged } from '../accounts/open-user.ts'
import { UserPath } from '../schemas.ts'
import { giveBadges, listBadges, takeBadges } from './badges.ts'

const Badge = Type.Object(
  { id: Type.Integer(), slug: Type.String(), description: Type.String(), image_url: Type.String() },
  { title: 'Badge' },
)
const UserBadges = Type.Object(
  { badge_slugs: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })) },
  { title: 'UserBadgeOption' },
)
const facts = { path: '/admin/users/:username/badges', tag: 'admin', scopes: ['admin'], params: UserPath }

export const badgeRoutes: readonly Route[] = [
  route({
    ...facts,
    method: 'GET',
    operationId: 'adminListUserBadges',
    summary: "List a user's badges",
    query: PageQuery,
    answers: { 200: Type.Array(Badge) },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async (visit) => {
      const { items, total } = await listBadges(visit.ctx, visit.opened.user, pageOf(visit.ctx, visit.query))
      return listed(visit, items, total)
    },
  }),
  route({
    ...facts,
    method: 'POST',
    operationId: 'adminAddUserBadges',
    summary: 'Add badges to a user',
    body: UserBadges,
    answers: { 204: null },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async ({ ctx, body, opened: { admin, user } }) => {
      await giveBadges(ctx, admin, user, body.badge_slugs ?? [])
      return noContent()
    },
  }),
  route({
    ...facts,
    method: 'DELETE',
    operationId: 'adminDeleteUserBadges',
    summary: 'Remove badges from a user',
    body: UserBadges,
    answers: { 204: null },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async ({ ctx, body, opened: { admin, user } }) => {
      await takeBadges(ctx, admin, user, body.badge_slugs ?? [])
      return noContent()
    },
  }),
]
