/** REST routes of members of an organization. */

import { Type } from 'typebox'
import { type Account, findMembership, listMembers, openUser, presentUser, User } from '#domains/people/users'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import {
  type Answer,
  asSignedIn,
  listed,
  noContent,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { canSeeInside, openOrg, openOwnedOrg, type VisibleOrg } from '../organizations/open-org.ts'
import { OrgPath } from '../schemas.ts'
import { removeMember } from './members.ts'

const route = routesOf({ tag: 'organization', scopes: ['organization'] })
const MemberPath = Type.Object({ org: Type.String(), username: Type.String() })

export const memberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs/:org/members',
    operationId: 'orgListMembers',
    summary: "List an organization's members",
    params: OrgPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: openSignedIn,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const filter = { publicOnly: !canSeeInside(ctx, opened) }
      const { items, total } = await listMembers(ctx.db, opened.id, filter, pageOf(ctx, query))
      return listed(
        visit,
        items.map((user) => presentUser(user, ctx.actor, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/members/:username',
    operationId: 'orgIsMember',
    summary: 'Check whether a user is a member of an organization',
    params: MemberPath,
    answers: { 204: null, 303: null },
    open: async (visit) => ({
      org: await openSignedIn(visit),
      user: await openUser(visit.ctx, visit.params.username),
    }),
    handle: async ({ ctx, opened: { org, user } }) => {
      if (!canSeeInside(ctx, org) && user.id !== ctx.actor?.id) return seePublicMember(ctx, org, user)
      if ((await findMembership(ctx.db, org.id, user.id)) === undefined) throw notFound('member', user.login)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/members/:username',
    operationId: 'orgDeleteMember',
    summary: 'Remove a member from an organization',
    params: MemberPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => ({
      org: await openOwnedOrg(ctx, params.org),
      user: await openUser(ctx, params.username),
    }),
    handle: async ({ ctx, opened: { org, user } }) => {
      await removeMember(ctx, org, user)
      return noContent()
    },
  }),
]

async function openSignedIn(visit: { ctx: Context; params: { org: string } }): Promise<VisibleOrg> {
  const org = await openOrg(visit.ctx, visit.params.org)
  asSignedIn(visit)
  return org
}

function seePublicMember(ctx: Context, org: VisibleOrg, user: Account): Answer<303, undefined> {
  const location = `${new URL(ctx.site.apiUrl).pathname}/orgs/${org.login}/public_members/${user.login}`
  return { status: 303, body: undefined, headers: { location } }
}
