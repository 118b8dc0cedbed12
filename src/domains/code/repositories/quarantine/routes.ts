/** REST routes of quarantined repositories, for site administrators. */
import { Type } from 'typebox'
import { asSiteAdmin, listed, noContent, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { RepositoryPath } from '../schemas.ts'
import { listQuarantined, openToQuarantine, setQuarantine } from './quarantine.ts'

const REASON_MAX = 5_000
const route = routesOf({ tag: 'admin', scopes: ['admin'] })

const QuarantinedRepository = Type.Object(
  { id: Type.Integer(), owner: Type.String(), name: Type.String(), reason: Type.String() },
  { title: 'QuarantinedRepository' },
)

export const quarantineRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/quarantine',
    operationId: 'adminListQuarantined',
    summary: 'List quarantined repositories',
    query: PageQuery,
    answers: { 200: Type.Array(QuarantinedRepository) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listQuarantined(visit.ctx.db, pageOf(visit.ctx, visit.query))
      return listed(visit, items, total)
    },
  }),
  route({
    method: 'PUT',
    path: '/admin/quarantine/:owner/:repo',
    operationId: 'adminQuarantineRepository',
    summary: 'Hide a repository from everyone but site administrators',
    params: RepositoryPath,
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: REASON_MAX }) }),
    answers: { 204: null },
    open: openToQuarantine,
    handle: async ({ ctx, opened, body }) => {
      await setQuarantine(ctx, opened, body.reason)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/quarantine/:owner/:repo',
    operationId: 'adminEndQuarantine',
    summary: 'End the quarantine of a repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: openToQuarantine,
    handle: async ({ ctx, opened }) => {
      await setQuarantine(ctx, opened, null)
      return noContent()
    },
  }),
]
