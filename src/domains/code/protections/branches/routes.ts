/** REST routes of branch protections. */
import { Type } from 'typebox'
import { type Administered, inRepository, openToAdmin, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { created, noContent, ok, type Route, routesOf } from '#platform/rest'
import { openToProtect } from '../rules/open-repository.ts'
import { BranchPriorities, CreateBranchProtection, EditBranchProtection } from '../schemas.ts'
import type { BranchProtectionRow } from '../tables.ts'
import { BranchProtection } from '../wire.ts'
import {
  createBranchProtection,
  deleteBranchProtection,
  editBranchProtection,
  getBranchProtection,
  listBranchProtections,
  presentBranchProtections,
  prioritize,
} from './branch-protections.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const RulePath = inRepository({ name: Type.String() })

export const branchProtectionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/branch_protections',
    operationId: 'repoListBranchProtection',
    summary: "List a repository's branch protections",
    params: RepositoryPath,
    answers: { 200: Type.Array(BranchProtection) },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, opened }) =>
      ok(await presentBranchProtections(ctx, opened, await listBranchProtections(ctx, opened))),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/branch_protections',
    operationId: 'repoCreateBranchProtection',
    summary: 'Create a branch protection',
    params: RepositoryPath,
    body: CreateBranchProtection,
    answers: { 201: BranchProtection },
    open: ({ ctx, params }) => openToProtect(ctx, params),
    handle: async ({ ctx, opened, body }) =>
      created(await present(ctx, opened, await createBranchProtection(ctx, opened, body))),
  }),
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/branch_protections/priority',
    operationId: 'repoUpdateBranchProtectionPriories',
    summary: 'Update the priorities of branch protections',
    params: RepositoryPath,
    body: BranchPriorities,
    answers: { 204: null },
    open: ({ ctx, params }) => openToProtect(ctx, params),
    handle: async ({ ctx, opened, body }) => {
      await prioritize(ctx, opened, body.ids ?? [])
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/branch_protections/*name',
    operationId: 'repoGetBranchProtection',
    summary: 'Get a branch protection',
    params: RulePath,
    answers: { 200: BranchProtection },
    open: ({ ctx, params }) => openToAdmin(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(await present(ctx, opened, await getBranchProtection(ctx, opened, params.name))),
  }),
  route({
    method: 'PATCH',
    path: '/repos/:owner/:repo/branch_protections/*name',
    operationId: 'repoEditBranchProtection',
    summary: 'Update a branch protection',
    params: RulePath,
    body: EditBranchProtection,
    answers: { 200: BranchProtection },
    open: ({ ctx, params }) => openToProtect(ctx, params),
    handle: async ({ ctx, params, opened, body }) =>
      ok(await present(ctx, opened, await editBranchProtection(ctx, opened, params.name, body))),
  }),
  route({
    method: 'DELETE',
    path: '/repos/:owner/:repo/branch_protections/*name',
    operationId: 'repoDeleteBranchProtection',
    summary: 'Delete a branch protection',
    params: RulePath,
    answers: { 204: null },
    open: ({ ctx, params }) => openToProtect(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await deleteBranchProtection(ctx, opened, params.name)
      return noContent()
    },
  }),
]

async function present(
  ctx: Context,
  repo: Administered,
  row: BranchProtectionRow,
): Promise<BranchProtection> {
  const [presented] = await presentBranchProtections(ctx, repo, [row])
  return presented as BranchProtection
}
