/** REST routes of the caller's blocks. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { asSignedIn, listed, noContent, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { openToTie } from '../accounts/open-user.ts'
import { presentUser, User } from '../wire.ts'
import { assertBlocked, blockAccount, listBlocked, unblockAccount } from './blocks.ts'
import { isBlocked } from './ties.ts'

const route = routesOf({ tag: 'user', scopes: ['user'], refusesPublicOnly: true })
const Username = Type.Object({ username: Type.String() })

export const blockRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/blocks',
    operationId: 'userListBlocks',
    summary: 'List users blocked by the authenticated user',
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: asSignedIn,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listBlocked(ctx, opened, pageOf(ctx, query))
      const users = items.map((account) => presentUser(account, opened, ctx.site))
      return listed(visit, users, total)
    },
  }),
  route({
    method: 'GET',
    path: '/user/blocks/:username',
    operationId: 'userCheckUserBlock',
    summary: 'Check whether the authenticated user blocks a user',
    params: Username,
    answers: { 204: null },
    open: openToBlock,
    handle: async ({ ctx, opened }) => {
      await assertBlocked(ctx, opened.actor, opened.account)
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/user/blocks/:username',
    operationId: 'userBlockUser',
    summary: 'Block a user',
    params: Username,
    query: Type.Object({
      note: Type.Optional(Type.String({ description: 'reason for the block, visible only to the caller' })),
    }),
    answers: { 204: null },
    open: openToBlock,
    handle: async ({ ctx, opened, query }) => {
      await blockAccount(ctx, { ...opened, blocker: opened.actor, note: query.note ?? '' })
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/user/blocks/:username',
    operationId: 'userUnblockUser',
    summary: 'Unblock a user',
    params: Username,
    answers: { 204: null },
    open: openToBlock,
    handle: async ({ ctx, opened }) => {
      await unblockAccount(ctx, opened.actor, opened.actor, opened.account)
      return noContent()
    },
  }),
]

async function openToBlock(visit: { ctx: Context; params: { username: string } }) {
  const { ctx, params } = visit
  const actor = asSignedIn(visit)
  const account = await openToTie(ctx, params.username, (it) => isBlocked(ctx.db, actor.id, it.id))
  return { actor, account }
}
