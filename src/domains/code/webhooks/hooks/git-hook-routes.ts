/** REST routes of git hooks. The forge runs no programs of users, so every operation is refused. */
import { Type } from 'typebox'
import { inRepository, openToAdmin, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { forbidden } from '#platform/problem'
import { listOf, noContent, ok, type Route, routesOf } from '#platform/rest'
import { EditGitHook } from '../schemas.ts'
import { GitHook } from '../wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const GitHookPath = inRepository({ id: Type.String() })

/** Compat: as if no user, not even an administrator, had the right to edit git hooks. */
async function refuse(visit: { ctx: Context; params: { owner: string; repo: string } }): Promise<never> {
  await openToAdmin(visit.ctx, visit.params)
  throw forbidden('must be allowed to edit git hooks')
}

export const gitHookRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/hooks/git',
    operationId: 'repoListGitHooks',
    summary: 'List git hooks (not supported)',
    params: RepositoryPath,
    answers: { 200: listOf(GitHook) },
    open: refuse,
    handle: async ({ opened }) => ok(opened),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/hooks/git/:id',
    operationId: 'repoGetGitHook',
    summary: 'Get a git hook (not supported)',
    params: GitHookPath,
    answers: { 200: GitHook },
    open: refuse,
    handle: async ({ opened }) => ok(opened),
  }),
  route({
    method: 'PATCH',
    path: '/repos/:owner/:repo/hooks/git/:id',
    operationId: 'repoEditGitHook',
    summary: 'Update a git hook (not supported)',
    params: GitHookPath,
    body: EditGitHook,
    answers: { 200: GitHook },
    open: refuse,
    handle: async ({ opened }) => ok(opened),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/hooks/git/:id',
    operationId: 'repoDeleteGitHook',
    summary: 'Delete a git hook (not supported)',
    params: GitHookPath,
    answers: { 204: null },
    open: refuse,
    handle: async () => noContent(),
  }),
]
