/** REST routes of an organization's blocks. An owner acts for it. */
import { Type } from 'typebox'
import {
  assertBlocked,
  blockAccount,
  isBlocked,
  listBlocked,
  openToTie,
  presentUser,
  User,
  unblockAccount,
} from '#domains/people/users'
import type { Context } from '#platform/context'
import { asSignedIn, listed, noContent, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { openOwnedOrg } from './open-org.ts'

const route = routesOf({ tag: 'organization', scopes: ['organization'] })
const BlockPath = Type.Object({ org: Type.String(), username: Type.String() })

export const blockRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/orgs/:org/blocks',
    operationId: 'organizationListBlocks',
    summary: 'List users blocked by an organization',
    params: Type.Object({ org: Type.String() }),
    query: PageQuery,
    answers: { 200: Type.Array(User) },
    open: ({ ctx, params }) => openOwnedOrg(ctx, params.org),
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { items, total } = await listBlocked(ctx, opened, pageOf(ctx, query))
      return listed(
        visit,
        items.map((user) => presentUser(user, ctx.actor, ctx.site)),
        total,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/orgs/:org/blocks/:username',
    operationId: 'organizationCheckUserBlock',
    summary: 'Check whether an organization blocks a user',
    params: BlockPath,
    answers: { 204: null },
    open: openToBlock,
    handle: async ({ ctx, opened }) => {
      await assertBlocked(ctx, opened.org, opened.account)
      return noContent()
    },
  }),
  route({
    method: 'PUT',
    path: '/orgs/:org/blocks/:username',
    operationId: 'organizationBlockUser',
    summary: 'Block a user from an organization',
    params: BlockPath,
    query: Type.Object({
      note: Type.Optional(
        Type.String({ description: 'reason for the block, shown to owners of the organization' }),
      ),
    }),
    answers: { 204: null },
    open: openToBlock,
    handle: async ({ ctx, opened, query }) => {
      await blockAccount(ctx, { ...opened, blocker: opened.org, note: query.note ?? '' })
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/orgs/:org/blocks/:username',
    operationId: 'organizationUnblockUser',
    summary: 'Unblock a user from an organization',
    params: BlockPath,
    answers: { 204: null },
    open: openToBlock,
    handle: async ({ ctx, opened }) => {
      await unblockAccount(ctx, opened.actor, opened.org, opened.account)
      return noContent()
    },
  }),
]

async function openToBlock(visit: { ctx: Context; params: { org: string; username: string } }) {
  const { ctx, params } = visit
  const org = await openOwnedOrg(ctx, params.org)
  const account = await openToTie(ctx, params.username, (it) => isBlocked(ctx.db, org.id, it.id))
  return { org, actor: asSignedIn(visit), account }
}
