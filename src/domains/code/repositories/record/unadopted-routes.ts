/** Unadopted repositories (D22): always an empty list, because no repository exists on disk alone. */
import { Type } from 'typebox'
import { notFound } from '#platform/problem'
import { asSiteAdmin, listed, pageFields, type Route, routesOf } from '#platform/rest'
import { RepositoryPath } from '../schemas.ts'

const route = routesOf({ tag: 'admin', scopes: ['admin'] })

export const unadoptedRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/unadopted',
    operationId: 'adminUnadoptedList',
    summary: 'List unadopted repositories',
    query: Type.Object({
      ...pageFields,
      pattern: Type.Optional(Type.String({ description: 'pattern of repositories to search for' })),
    }),
    answers: { 200: Type.Array(Type.String()) },
    open: asSiteAdmin,
    handle: async (visit) => listed(visit, [], 0),
  }),
  route({
    method: 'POST',
    path: '/admin/unadopted/:owner/:repo',
    operationId: 'adminAdoptRepository',
    summary: 'Adopt an unadopted repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ params }) => {
      throw notFound('unadopted repository', `${params.owner}/${params.repo}`)
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/unadopted/:owner/:repo',
    operationId: 'adminDeleteUnadoptedRepository',
    summary: 'Delete an unadopted repository',
    params: RepositoryPath,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ params }) => {
      throw notFound('unadopted repository', `${params.owner}/${params.repo}`)
    },
  }),
]
