/** REST route of merge-upstream. */
import { Type } from 'typebox'
import { openToWrite } from '#domains/code/repositories'
import { asSignedIn, ok, type Route, route } from '#platform/rest'
import { MergeUpstream } from '../schemas.ts'
import { mergeUpstream } from './merge-upstream.ts'

const RepositoryPath = Type.Object({ owner: Type.String(), repo: Type.String() })
const MergeUpstreamResponse = Type.Object(
  { merge_type: Type.String({ description: 'type of merge: up-to-date, fast-forward or merge' }) },
  { title: 'MergeUpstreamResponse' },
)

export const mergeUpstreamRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/repos/:owner/:repo/merge-upstream',
    operationId: 'repoMergeUpstream',
    tag: 'repository',
    summary: 'Merge the upstream branch into a branch of a fork',
    scopes: ['repository'],
    params: RepositoryPath,
    body: MergeUpstream,
    answers: { 200: MergeUpstreamResponse },
    open: async (visit) => {
      const repo = await openToWrite(visit.ctx, visit.params, 'code')
      return { repo, actor: asSignedIn(visit) }
    },
    handle: async ({ ctx, body, opened: { repo, actor } }) =>
      ok({ merge_type: await mergeUpstream(ctx, repo, actor, body) }),
  }),
]
