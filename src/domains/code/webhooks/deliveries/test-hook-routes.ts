/** REST route that tests a hook of a repository. */
import { Type } from 'typebox'
import { inRepository, openToAdmin } from '#domains/code/repositories'
import { scopeOf } from '#domains/code/scopes'
import { asSignedIn, noContent, type Route, route } from '#platform/rest'
import { getHook } from '../hooks/hooks.ts'
import { testHook } from './deliveries.ts'

export const testHookRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/hooks/:id/tests',
    operationId: 'repoTestHook',
    tag: 'repository',
    summary: 'Test a repository webhook with a push event',
    scopes: ['repository'],
    params: inRepository({ id: Type.Integer() }),
    query: Type.Object({
      ref: Type.Optional(
        Type.String({ maxLength: 1024, description: 'branch, tag or commit (default: the default branch)' }),
      ),
    }),
    answers: { 204: null },
    open: async (visit) => {
      const repo = await openToAdmin(visit.ctx, visit.params)
      const hook = await getHook(visit.ctx, scopeOf(repo), visit.params.id)
      return { repo, hook, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, query, opened: { repo, hook, actor } }) => {
      await testHook(ctx, repo, hook, actor, query.ref?.trim())
      return noContent()
    },
  }),
]
