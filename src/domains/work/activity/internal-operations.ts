/** Activity that pages show and the REST API does not offer. */
import { openToRead, RepositoryPath } from '#domains/code/repositories'
import { asSignedIn, type InternalOperations, internalOperation } from '#platform/rest'
import { listPushedBranches } from './pushed-branches.ts'

export const activityOperations = [
  /** The branches of a repository and its forks that the caller pushed to lately, newest first. */
  internalOperation({
    operationId: 'activityListPushedBranches',
    method: 'GET',
    params: RepositoryPath,
    open: async (visit) => {
      const repo = await openToRead(visit.ctx, visit.params, 'code')
      return { repo, actor: asSignedIn(visit) }
    },
    handle: ({ ctx, opened: { repo, actor } }) => listPushedBranches(ctx, repo.id, actor.account.id),
  }),
] as const

declare module '#platform/page' {
  interface Operations extends InternalOperations<typeof activityOperations> {}
}
