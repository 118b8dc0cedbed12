/** REST routes of all users' email addresses, for site administrators. */
import { Type } from 'typebox'
import { asSiteAdmin, listed, PageQuery, pageFields, pageOf, type Route, routesOf } from '#platform/rest'
import { keywordOf } from '../accounts/keywords.ts'
import { Email, presentEmail } from '../wire.ts'
import { listEmails } from './emails.ts'

const route = routesOf({ tag: 'admin', scopes: ['admin'] })

export const adminEmailRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/emails',
    operationId: 'adminGetAllEmails',
    summary: 'List all email addresses',
    query: PageQuery,
    answers: { 200: Type.Array(Email) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { items, total } = await listEmails(visit.ctx, '', pageOf(visit.ctx, visit.query))
      return listed(visit, items.map(presentEmail), total)
    },
  }),
  route({
    method: 'GET',
    path: '/admin/emails/search',
    operationId: 'adminSearchEmails',
    summary: 'Search all email addresses',
    query: Type.Object({
      q: Type.Optional(
        Type.String({ description: 'keyword: part of an email address, username or full name' }),
      ),
      ...pageFields,
    }),
    answers: { 200: Type.Array(Email) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, query } = visit
      const { items, total } = await listEmails(ctx, keywordOf(query.q), pageOf(ctx, query))
      return listed(visit, items.map(presentEmail), total)
    },
  }),
]
