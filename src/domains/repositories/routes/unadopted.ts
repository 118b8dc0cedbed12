/** Repositories that lie on a disk and nowhere else (D22): there are none, because nothing here lies on a disk alone. */
import { Type } from 'typebox'
import { notFound } from '#platform/problem'
import { asSiteAdmin, listed, pageFields, type Route, route } from '#platform/rest'
import { RepositoryPath } from '../schemas.ts'

export const unadoptedRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/unadopted',
    operationId: 'adminUnadoptedList',
    tag: 'admin',
    summary: 'List unadopted repositories',
    scopes: ['admin'],
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
    tag: 'admin',
    summary: 'Adopt an unadopted repository',
    scopes: ['admin'],
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
    tag: 'admin',
    summary: 'Delete an unadopted repository',
    scopes: ['admin'],
    params: RepositoryPath,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ params }) => {
      throw notFound('unadopted repository', `${params.owner}/${params.repo}`)
    },
  }),
]
