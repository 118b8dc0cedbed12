/** Issue search over REST. */
import { Type } from 'typebox'
import { asAnybody, listed, pageOf, type Route, routesOf } from '#platform/rest'
import { Issue } from '../records/wire.ts'
import { SearchQuery } from './schemas.ts'
import { search } from './search.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
export const searchRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/issues/search',
    operationId: 'issueSearchIssues',
    summary: 'Search for issues across the repositories that the user has access to',
    query: SearchQuery,
    answers: { 200: Type.Array(Issue) },
    open: asAnybody,
    handle: async (visit) => {
      const { ctx, query } = visit
      const { items, total } = await search(ctx, query, pageOf(ctx, query))
      return listed(visit, items, total)
    },
  }),
]
