/** REST routes of public members. */

import { Type } from 'typebox'
import { findMembership, listMembers, openUser, presentUser, User } from '#domains/people/users'
import { notFound } from '#platform/problem'
import { listed, noContent, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { openOrg } from '../organizations/open-org.ts'
import { OrgPath } from '../schemas.ts'
import { openChangeableMember, showMember } from './members.ts'

const route = routesOf({ tag: 'organization', scopes: ['organization'] })
const MemberPath = Type.Object({ org: Type.String(), username: Type.String() })

export const publicMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs/:org/public_members',
    operationId: 'orgListPublicMembers',
    summary: "List an organization's public members",
    params: OrgPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listMembers(ctx.db, opened.id, { publicOnly: true }, pageOf(ctx, query))
      return listed(
        visit,
        items.map((user) => presentUser(user, ctx.actor, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/public_members/:username',
    operationId: 'orgIsPublicMember',
    summary: 'Check whether a user is a public member of an organization',
    params: MemberPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => ({
      org: await openOrg(ctx, params.org),
      user: await openUser(ctx, params.username),
    }),
    handle: async ({ ctx, opened: { org, user } }) => {
      const membership = await findMembership(ctx.db, org.id, user.id)
      if (membership?.is_public !== true) throw notFound('public member', user.login)
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/orgs/:org/public_members/:username',
    operationId: 'orgPublicizeMember',
    summary: 'Publicize an organization membership',
    params: MemberPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openChangeableMember(ctx, params),
    handle: async ({ ctx, opened }) => {
      await showMember(ctx, opened, true)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/public_members/:username',
    operationId: 'orgConcealMember',
    summary: 'Conceal an organization membership',
    params: MemberPath,
    answers: { 204: null },
    open: ({ ctx, params }) => openChangeableMember(ctx, params),
    handle: async ({ ctx, opened }) => {
      await showMember(ctx, opened, false)
      return noContent()
    },
  }),
]
