/** REST routes of commits. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/code/repositories'
import { openDiff, openPatches } from '#git'
import { Bytes, ok, type pageHeaders, pageHeadersTwice, type Route, route, SANDBOX } from '#platform/rest'
import { openCode } from '../open-code.ts'
import { CommitQuery, CommitsQuery } from '../schemas.ts'
import { Commit, presentCommit } from './commit-wire.ts'
import { getCommit, listPage, loadParts } from './commits.ts'
import { showCommits } from './show-commits.ts'

const CommitPath = inRepository({ sha: Type.String() })
const DiffPath = Type.Object({
  ...CommitPath.properties,
  diffType: Type.Union([Type.Literal('diff'), Type.Literal('patch')]),
})
const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' }

/** One commit as plain text, so that browsers do not execute it. */
const downloading = (facts: Pick<Route, 'path' | 'operationId' | 'summary' | 'isPage'>): Route =>
  route({
    ...facts,
    method: 'GET',
    tag: 'repository',
    scopes: ['repository'],
    params: DiffPath,
    answers: { 200: Bytes },
    open: openCode,
    handle: async ({ ctx, opened, params }) => {
      const commit = await getCommit(ctx, opened, params.sha, { stat: false, files: false })
      const open = params.diffType === 'diff' ? openDiff : openPatches
      const comparison = { from: commit.parents[0] ?? null, to: commit.oid }
      const body = await open(ctx, opened.storage_id, comparison, { withBinary: false })
      return { ...ok(body), headers: { ...PLAIN_TEXT, 'content-security-policy': SANDBOX } }
    },
  })

export const commitRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/commits',
    operationId: 'repoGetAllCommits',
    tag: 'repository',
    summary: "List a repository's commits",
    alsoRefuses: ['empty_repository'],
    scopes: ['repository'],
    params: RepositoryPath,
    query: CommitsQuery,
    answers: { 200: Type.Array(Commit) },
    open: openCode,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { commits, total } = await listPage(ctx, opened, query)
      const body = await showCommits(ctx, opened, commits, query)
      return { ...ok(body), headers: headersOf(visit, total) }
    },
  }),
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/git/commits/:sha',
    operationId: 'repoGetSingleCommit',
    tag: 'repository',
    summary: 'Get a commit',
    scopes: ['repository'],
    params: CommitPath,
    query: CommitQuery,
    answers: { 200: Commit },
    open: openCode,
    handle: async ({ ctx, opened, params, query }) => {
      const commit = await getCommit(ctx, opened, params.sha, query)
      const parts = await loadParts(ctx, opened, [commit], query)
      return ok(presentCommit(commit, parts, opened, ctx.site))
    },
  }),
  downloading({
    path: '/repos/:owner/:repo/git/commits/:sha.:diffType(^(?:diff|patch)$)',
    operationId: 'repoDownloadCommitDiffOrPatch',
    summary: 'Download a commit as a diff or patch',
  }),
  downloading({
    isPage: true,
    path: '/:owner/:repo/commit/:sha.:diffType(^(?:diff|patch)$)',
    operationId: 'pageCommitDiffOrPatch',
    summary: 'Download a commit as a diff or patch from its web address',
  }),
]

/** Compat: this list also sends the total as X-Total. With a path, the reported page size is the requested one. */
function headersOf(visit: Parameters<typeof pageHeaders>[0], total: number): Record<string, string> {
  const headers = pageHeadersTwice(visit, total)
  return {
    ...headers,
    'x-total': String(total),
    'access-control-expose-headers': `X-Total, ${headers['access-control-expose-headers']}`,
  }
}
