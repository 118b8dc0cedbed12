/** REST routes of members of a team. */
import { Type } from 'typebox'
import { openUser, presentUser, User } from '#domains/people/users'
import { notFound } from '#platform/problem'
import { listed, noContent, ok, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { joinTeam, leaveTeam } from '../members/members.ts'
import { listTeamMembers } from '../queries.ts'
import { openOwnedTeam, openTeamMembers } from './open-team.ts'
import { isInTeam } from './team-store.ts'

const route = routesOf({ tag: 'organization', scopes: ['organization'] })
const MemberPath = Type.Object({ id: Type.Integer(), username: Type.String() })

export const teamMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/teams/:id/members',
    operationId: 'orgListTeamMembers',
    summary: "List a team's members",
    params: Type.Object({ id: Type.Integer() }),
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openTeamMembers(ctx, params.id),
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listTeamMembers(ctx, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((user) => presentUser(user, ctx.actor, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/teams/:id/members/:username',
    operationId: 'orgListTeamMember',
    summary: 'Get a team member',
    params: MemberPath,
    answers: { 200: User },
    open: async ({ ctx, params }) => ({
      ...(await openTeamMembers(ctx, params.id)),
      user: await openUser(ctx, params.username),
    }),
    handle: async ({ ctx, opened: { team, user } }) => {
      if (!(await isInTeam(ctx.db, team.id, user.id))) throw notFound('member', user.login)
      return ok(presentUser(user, ctx.actor, ctx.site))
    },
  }),
  route({
    method: 'PUT',
    path: '/teams/:id/members/:username',
    operationId: 'orgAddTeamMember',
    summary: 'Add a team member',
    params: MemberPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => ({
      team: await openOwnedTeam(ctx, params.id),
      user: await openUser(ctx, params.username),
    }),
    handle: async ({ ctx, opened: { team, user } }) => {
      await joinTeam(ctx, team, user)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/teams/:id/members/:username',
    operationId: 'orgRemoveTeamMember',
    summary: 'Remove a team member',
    params: MemberPath,
    answers: { 204: null },
    open: async ({ ctx, params }) => ({
      team: await openOwnedTeam(ctx, params.id),
      user: await openUser(ctx, params.username),
    }),
    handle: async ({ ctx, opened: { team, user } }) => {
      await leaveTeam(ctx, team, user)
      return noContent()
    },
  }),
]
