/** REST routes of the authors of imported records, for site administrators. */
import { Type } from 'typebox'
import { findAccountsById } from '#domains/people/users'
import { asSiteAdmin, listed, noContent, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { assignAuthor, listAuthors, releaseAuthor } from './assign-author.ts'
import { ImportedAuthor, presentAuthor } from './wire.ts'

const AuthorPath = Type.Object({
  host_id: Type.Integer({ description: 'id of the forge, as listed' }),
  author_id: Type.Integer({ description: 'id of the author at that forge' }),
})

export const authorRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/imported-authors',
    operationId: 'adminListImportedAuthors',
    tag: 'admin',
    summary: 'List the authors of imported issues, pull requests, comments and reviews',
    scopes: ['admin'],
    query: Type.Object({
      ...PageQuery.properties,
      host: Type.Optional(
        Type.String({ description: 'only of this forge, such as https://github.com', maxLength: 2_048 }),
      ),
      name: Type.Optional(Type.String({ description: 'only of this name, in any case', maxLength: 255 })),
      assigned: Type.Optional(
        Type.Boolean({ description: 'only those who are an account here, or only those who are not' }),
      ),
    }),
    answers: { 200: Type.Array(ImportedAuthor) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const filter = { host: query.host, name: query.name, isAssigned: query.assigned }
      const { items, total } = await listAuthors(ctx, opened, filter, pageOf(ctx, query))
      const ids = items.flatMap(({ account_id }) => account_id ?? [])
      const accounts = await findAccountsById(ctx.db, ids)
      return listed(
        visit,
        items.map((it) => presentAuthor(it, accounts)),
        total,
      )
    },
  }),
  route({
    method: 'PUT',
    path: '/admin/imported-authors/:host_id/:author_id',
    operationId: 'adminAssignImportedAuthor',
    tag: 'admin',
    summary: 'Update which user an author of imported records is',
    scopes: ['admin'],
    params: AuthorPath,
    body: Type.Object(
      { username: Type.String({ description: 'user who wrote it', maxLength: 255 }) },
      { title: 'AssignImportedAuthorOption' },
    ),
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params, body }) => {
      await assignAuthor(ctx, opened, params, body.username)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/imported-authors/:host_id/:author_id',
    operationId: 'adminReleaseImportedAuthor',
    tag: 'admin',
    summary: 'Remove the user of an author of imported records',
    scopes: ['admin'],
    params: AuthorPath,
    answers: { 204: null },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, params }) => {
      await releaseAuthor(ctx, opened, params)
      return noContent()
    },
  }),
]
