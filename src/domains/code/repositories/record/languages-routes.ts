/** REST routes of a repository's languages and licences. */
import { Type } from 'typebox'
import { ok, type Route, routesOf } from '#platform/rest'
import { openToRead } from '../access/open-repository.ts'
import { RepositoryPath } from '../schemas.ts'
import { listLanguages } from './languages.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })

export const foundRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/languages',
    operationId: 'repoGetLanguages',
    summary: "List a repository's languages with their sizes in bytes",
    params: RepositoryPath,
    answers: { 200: Type.Record(Type.String(), Type.Integer()) },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async ({ ctx, opened }) => ok(await listLanguages(ctx.db, opened.id)),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/licenses',
    operationId: 'repoGetLicenses',
    summary: "List a repository's licenses",
    params: RepositoryPath,
    answers: { 200: Type.Array(Type.String()) },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async ({ opened }) => ok(opened.licenses),
  }),
]
