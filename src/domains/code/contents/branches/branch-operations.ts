/** Deleted branches, for pages: the REST API restores a branch by creating it at its commit. */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { internalOperation } from '#platform/rest'
import { openCodeToWrite } from '../open-code.ts'
import { listDeletedBranches, restoreBranch } from './deleted-branches.ts'

export const branchOperations = [
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
