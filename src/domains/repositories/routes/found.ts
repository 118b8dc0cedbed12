/** Languages and licences of a repository over REST. */
import { Type } from 'typebox'
import { ok, type Route, route } from '#platform/rest'
import { listLanguages } from '../found.ts'
import { openToRead } from '../open-repository.ts'
import { RepositoryPath } from '../schemas.ts'

export const foundRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/languages',
    operationId: 'repoGetLanguages',
    tag: 'repository',
    summary: "List a repository's languages with their sizes in bytes",
    scopes: ['repository'],
    params: RepositoryPath,
    answers: { 200: Type.Record(Type.String(), Type.Integer()) },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async ({ ctx, opened }) => ok(await listLanguages(ctx.db, opened.id)),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/licenses',
    operationId: 'repoGetLicenses',
    tag: 'repository',
    summary: "List a repository's licenses",
    scopes: ['repository'],
    params: RepositoryPath,
    answers: { 200: Type.Array(Type.String()) },
    open: ({ ctx, params }) => openToRead(ctx, params, 'code'),
    handle: async ({ opened }) => ok(opened.licenses),
  }),
]
