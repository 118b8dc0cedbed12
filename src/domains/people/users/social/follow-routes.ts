/** REST routes of follows. */

import { Type } from 'typebox'
import type { Context } from '#platform/context'
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
import { openToTie, openUser } from '../accounts/open-user.ts'
import { followedBy, followersOf, type Listing, takeAccounts } from '../accounts/queries.ts'
import { UserPath } from '../schemas.ts'
import { presentUser, User } from '../wire.ts'
import { assertFollows, follow, unfollow } from './follows.ts'
import { isFollowing } from './ties.ts'

const route = routesOf({ tag: 'user', scopes: ['user'] })

export const followRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/followers',
    operationId: 'userCurrentListFollowers',
    summary: "List the authenticated user's followers",
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: asSignedIn,
    handle: (visit) => listUsers(visit, followersOf(visit.ctx.db, visit.opened, visit.opened.id)),
  }),
  route({
    method: 'GET',
    path: '/user/following',
    operationId: 'userCurrentListFollowing',
    summary: 'List users the authenticated user follows',
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: asSignedIn,
    handle: (visit) => listUsers(visit, followedBy(visit.ctx.db, visit.opened, visit.opened.id)),
  }),
  route({
    method: 'GET',
    path: '/user/following/:username',
    operationId: 'userCurrentCheckFollowing',
    summary: 'Check whether the authenticated user follows a user',
    params: UserPath,
    answers: { 204: null },
    open: openToFollow,
    handle: async ({ ctx, opened }) => {
      await assertFollows(ctx, opened.actor.id, opened.account)
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/user/following/:username',
    operationId: 'userCurrentPutFollow',
    summary: 'Follow a user',
    params: UserPath,
    answers: { 204: null },
    open: openToFollow,
    handle: async ({ ctx, opened }) => {
      await follow(ctx, opened.actor, opened.account)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/following/:username',
    operationId: 'userCurrentDeleteFollow',
    summary: 'Unfollow a user',
    params: UserPath,
    answers: { 204: null },
    open: openToFollow,
    handle: async ({ ctx, opened }) => {
      await unfollow(ctx, opened.actor, opened.account)
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/users/:username/followers',
    operationId: 'userListFollowers',
    summary: "List a user's followers",
    params: UserPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: openToLook,
    handle: (visit) => listUsers(visit, followersOf(visit.ctx.db, visit.ctx.actor, visit.opened.id)),
  }),
  route({
    method: 'GET',
    path: '/users/:username/following',
    operationId: 'userListFollowing',
    summary: 'List users a user follows',
    params: UserPath,
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: openToLook,
    handle: (visit) => listUsers(visit, followedBy(visit.ctx.db, visit.ctx.actor, visit.opened.id)),
  }),
  route({
    method: 'GET',
    path: '/users/:username/following/:target',
    operationId: 'userCheckFollowing',
    summary: 'Check whether a user follows another user',
    params: Type.Object({ username: Type.String(), target: Type.String() }),
    answers: { 204: null },
    open: async (visit) => ({
      user: await openToLook(visit),
      target: await openUser(visit.ctx, visit.params.target),
    }),
    handle: async ({ ctx, opened }) => {
      await assertFollows(ctx, opened.user.id, opened.target)
      return noContent()
    },
  }),
]

async function openToFollow(visit: { ctx: Context; params: { username: string } }) {
  const { ctx, params } = visit
  const actor = asSignedIn(visit)
  const account = await openToTie(ctx, params.username, (it) => isFollowing(ctx.db, actor.id, it.id))
  return { actor, account }
}

function openToLook(visit: { ctx: Context; params: { username: string } }) {
  asSignedIn(visit)
  return openUser(visit.ctx, visit.params.username)
}

async function listUsers(
  visit: Parameters<typeof listed>[0],
  listing: Listing,
): Promise<Answer<200, User[]>> {
  const { ctx, query } = visit
  const { items, total } = await takeAccounts(listing, pageOf(ctx, query))
  return listed(
    visit,
    items.map((account) => presentUser(account, ctx.actor, ctx.site)),
    total,
  )
}
