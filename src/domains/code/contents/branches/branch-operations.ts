/**
 * Branches by date, and deleted branches, for pages: the REST API lists them by name, and restores a branch by creating it
 * at its commit.
 */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { internalOperation } from '#platform/rest'
import { openCode, openCodeToWrite } from '../open-code.ts'
import { BranchesQuery, listBranchesByDate } from './branches-by-date.ts'
import { listDeletedBranches, restoreBranch } from './deleted-branches.ts'

export const branchOperations = [
  internalOperation({
    operationId: 'repoListBranchesByDate',
    method: 'GET',
    params: RepositoryPath,
    query: BranchesQuery,
    open: openCode,
    handle: ({ ctx, opened, query }) => listBranchesByDate(ctx, opened, query),
  }),
  internalOperation({
    operationId: 'repoListDeletedBranches',
    method: 'GET',
    params: RepositoryPath,
    open: openCodeToWrite,
    handle: ({ ctx, opened }) => listDeletedBranches(ctx, opened),
  }),
  internalOperation({
    operationId: 'repoRestoreBranch',
    method: 'POST',
    params: RepositoryPath,
    body: Type.Object({ name: Type.String() }),
    open: openCodeToWrite,
    handle: ({ ctx, opened, body }) => restoreBranch(ctx, opened, body.name),
  }),
] as const
