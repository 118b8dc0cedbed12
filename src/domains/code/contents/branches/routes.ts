/** REST routes of branches. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { created, listed, noContent, ok, pageFields, pageOf, type Route, route } from '#platform/rest'
import { type Code, openCode, openCodeToWrite } from '../open-code.ts'
import { CreateBranch, RenameBranch, UpdateBranch } from '../schemas.ts'
import { Branch, type LoadedBranch, presentBranch } from './branch-wire.ts'
import {
  createBranch,
  deleteBranch,
  getBranch,
  listBranches,
  loadBranchParts,
  updateBranch,
} from './branches.ts'
import { renameBranch } from './rename-branch.ts'

const BranchPath = inRepository({ branch: Type.String() })
const ListQuery = Type.Object({
  q: Type.Optional(Type.String({ description: 'keyword: part of the branch name' })),
  ...pageFields,
})
const LIST = '/repos/:owner/:repo/branches'
const ONE = `${LIST}/*branch`
const facts = { tag: 'repository', scopes: ['repository'] }

export const branchRoutes: readonly Route[] = [
  route({
    ...facts,
    method: 'GET',
    path: LIST,
    operationId: 'repoListBranches',
    summary: "List a repository's branches",
    params: RepositoryPath,
    query: ListQuery,
    answers: { 200: Type.Array(Branch) },
    open: openCode,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { branches, total } = await listBranches(ctx, opened, query.q ?? '', pageOf(ctx, query))
      return listed(visit, await present(ctx, opened, branches), total)
    },
  }),
  route({
    ...facts,
    method: 'POST',
    path: LIST,
    operationId: 'repoCreateBranch',
    summary: 'Create a branch',
    params: RepositoryPath,
    body: CreateBranch,
    answers: { 201: Branch },
    open: openCodeToWrite,
    handle: async ({ ctx, opened, body }) => {
      const branch = await createBranch(ctx, opened, body)
      return created(await presentOne(ctx, opened.repo, branch))
    },
  }),
  route({
    ...facts,
    method: 'GET',
    path: ONE,
    operationId: 'repoGetBranch',
    summary: 'Get a branch',
    params: BranchPath,
    answers: { 200: Branch },
    open: openCode,
    handle: async ({ ctx, opened, params }) =>
      ok(await presentOne(ctx, opened, await getBranch(ctx, opened, params.branch))),
  }),
  route({
    ...facts,
    method: 'PATCH',
    path: ONE,
    operationId: 'repoRenameBranch',
    summary: 'Rename a branch',
    params: BranchPath,
    body: RenameBranch,
    answers: { 204: null },
    open: openCodeToWrite,
    handle: async ({ ctx, opened, params, body }) => {
      await renameBranch(ctx, opened, params.branch, body.name)
      return noContent()
    },
  }),
  route({
    ...facts,
    method: 'PUT',
    path: ONE,
    operationId: 'repoUpdateBranch',
    summary: 'Update a branch to point to another commit',
    params: BranchPath,
    body: UpdateBranch,
    answers: { 204: null },
    open: openCodeToWrite,
    handle: async ({ ctx, opened, params, body }) => {
      await updateBranch(ctx, opened, params.branch, body)
      return noContent()
    },
  }),
  route({
    ...facts,
    method: 'DELETE',
    path: ONE,
    operationId: 'repoDeleteBranch',
    summary: 'Delete a branch',
    params: BranchPath,
    answers: { 204: null },
    open: openCodeToWrite,
    handle: async ({ ctx, opened, params }) => {
      await deleteBranch(ctx, opened, params.branch)
      return noContent()
    },
  }),
]

async function present(ctx: Context, code: Code, branches: readonly LoadedBranch[]): Promise<Branch[]> {
  const parts = await loadBranchParts(ctx, code, branches)
  return branches.map((branch) => presentBranch(branch, parts, code, ctx.site))
}

async function presentOne(ctx: Context, code: Code, branch: LoadedBranch): Promise<Branch> {
  return presentBranch(branch, await loadBranchParts(ctx, code, [branch]), code, ctx.site)
}
