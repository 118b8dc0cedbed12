/** REST routes of tag protections. */
import { Type } from 'typebox'
import { type Administered, inRepository, openToAdmin, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { created, noContent, ok, type Route, routesOf } from '#platform/rest'
import { openToProtect } from '../rules/open-repository.ts'
import { CreateTagProtection, EditTagProtection } from '../schemas.ts'
import type { TagProtectionRow } from '../tables.ts'
import { TagProtection } from '../wire.ts'
import {
  createTagProtection,
  deleteTagProtection,
  editTagProtection,
  getTagProtection,
  listTagProtections,
  presentTagProtections,
} from './tag-protections.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const RulePath = inRepository({ id: Type.Integer() })

export const tagProtectionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/tag_protections',
    operationId: 'repoListTagProtection',
    summary: "List a repository's tag protections",
    params: RepositoryPath,
    answers: { 200: Type.Array(TagProtection) },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened }) =>
      ok(await presentTagProtections(ctx, opened, await listTagProtections(ctx, opened))),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/tag_protections',
    operationId: 'repoCreateTagProtection',
    summary: 'Create a tag protection',
    params: RepositoryPath,
    body: CreateTagProtection,
    answers: { 201: TagProtection },
    open: ({ ctx, params }) => openToProtect(ctx, params),
    handle: async ({ ctx, opened, body }) =>
      created(await present(ctx, opened, await createTagProtection(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/tag_protections/:id',
    operationId: 'repoGetTagProtection',
    summary: 'Get a tag protection',
    params: RulePath,
    answers: { 200: TagProtection },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(await present(ctx, opened, await getTagProtection(ctx, opened, params.id))),
  }),
  route({
    method: 'PATCH',
    path: '/repos/:owner/:repo/tag_protections/:id',
    operationId: 'repoEditTagProtection',
    summary: 'Update a tag protection',
    params: RulePath,
    body: EditTagProtection,
    answers: { 200: TagProtection },
    open: ({ ctx, params }) => openToProtect(ctx, params),
    handle: async ({ ctx, params, opened, body }) =>
      ok(await present(ctx, opened, await editTagProtection(ctx, opened, params.id, body))),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/tag_protections/:id',
    operationId: 'repoDeleteTagProtection',
    summary: 'Delete a tag protection',
    params: RulePath,
    answers: { 204: null },
    // Compat: allowed in an archived repository, too.
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await deleteTagProtection(ctx, opened, params.id)
      return noContent()
    },
  }),
]

async function present(ctx: Context, repo: Administered, row: TagProtectionRow): Promise<TagProtection> {
  const [presented] = await presentTagProtections(ctx, repo, [row])
  return presented as TagProtection
}
