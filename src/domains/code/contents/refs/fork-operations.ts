/** Operations of the web UI on forks. */
import { Type } from 'typebox'
import { RepositoryPath } from '#domains/code/repositories'
import { internalOperation } from '#platform/rest'
import { openCode, openCodeToWrite } from '../open-code.ts'
import { branchFromParent } from './branch-from-parent.ts'
import { countForkDistance } from './fork-distance.ts'

export const forkOperations = [
  /** Ahead of and behind the parent's branch of the same name, or else its default branch. */
  internalOperation({
    operationId: 'repoGetForkDistance',
    method: 'GET',
    params: RepositoryPath,
    open: openCode,
    handle: ({ ctx, opened }) => countForkDistance(ctx, opened),
  }),
  internalOperation({
    operationId: 'repoBranchFromParent',
    method: 'POST',
    params: RepositoryPath,
    body: Type.Object({ parent_branch: Type.String() }),
    open: openCodeToWrite,
    handle: async ({ ctx, opened, body }) => ({
      branch: await branchFromParent(ctx, opened, body.parent_branch),
    }),
  }),
] as const
