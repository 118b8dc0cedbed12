/** REST routes of suspensions for abuse, for site administrators. */
import { type Static, Type } from 'typebox'
import {
  asSiteAdmin,
  listed,
  noContent,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
  Time,
  time,
} from '#platform/rest'
import {
  type ListedSuspension,
  liftSuspension,
  listSuspensions,
  openToSuspend,
  suspend,
} from './suspension.ts'

const REASON_MAX = 5_000
const route = routesOf({ tag: 'admin', scopes: ['admin'] })
const Username = Type.Object({ username: Type.String({ description: 'user or organization' }) })

const Suspension = Type.Object(
  {
    username: Type.String(),
    type: Type.Union([Type.Literal('user'), Type.Literal('organization'), Type.Literal('bot')]),
    reason: Type.String(),
    created_at: Time,
    appeal: Type.Union([Type.String(), Type.Null()]),
    appealed_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'Suspension' },
)

export const suspensionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/suspensions',
    operationId: 'adminListSuspensions',
    summary: 'List accounts that are suspended for abuse, those with an appeal first',
    query: PageQuery,
    answers: { 200: Type.Array(Suspension) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listSuspensions(visit.ctx.db, pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentSuspension), total)
    },
  }),
  route({
    method: 'PUT',
    path: '/admin/users/:username/suspension',
    operationId: 'adminSuspendAccount',
    summary: 'Suspend a user or organization for abuse',
    params: Username,
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: REASON_MAX }) }),
    answers: { 204: null },
    open: ({ ctx, params }) => openToSuspend({ ctx }, params.username),
    handle: async ({ ctx, opened: { admin, account }, body }) => {
      await suspend(ctx, admin, account, body.reason)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/users/:username/suspension',
    operationId: 'adminLiftSuspension',
    summary: 'Lift the suspension of a user or organization',
    params: Username,
    answers: { 204: null },
    open: ({ ctx, params }) => openToSuspend({ ctx }, params.username),
    handle: async ({ ctx, opened: { admin, account } }) => {
      await liftSuspension(ctx, admin, account)
      return noContent()
    },
  }),
]

function presentSuspension(row: ListedSuspension): Static<typeof Suspension> {
  const { login, kind, reason, created_at, appeal, appealed_at } = row
  return {
    username: login,
    type: kind,
    reason,
    created_at: time(created_at),
    appeal,
    appealed_at: time(appealed_at),
  }
}
