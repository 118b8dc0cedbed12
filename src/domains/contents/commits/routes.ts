/** Commits over REST. */

import { Type } from 'typebox'
import { inRepository, RepositoryPath } from '#domains/repositories'
import { type LoggedCommit, openDiff, openPatches } from '#git'
import type { Context } from '#platform/context'
import { Bytes, ok, pageHeaders, pageOf, type Route, route } from '#platform/rest'
import { type Code, openCode } from '../open-code.ts'
import { CommitQuery, CommitsQuery } from '../schemas.ts'
import { Commit, presentCommit } from './commit-wire.ts'
import { type CommitDetails, getCommit, listPage, loadParts } from './commits.ts'

const CommitPath = inRepository({ sha: Type.String() })
const DiffPath = Type.Object({
  ...CommitPath.properties,
  diffType: Type.Union([Type.Literal('diff'), Type.Literal('patch')]),
})
const COMMIT_HEADERS = 'X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore'
const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' }

export const commitRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/commits',
    operationId: 'repoGetAllCommits',
    tag: 'repository',
    summary: "List a repository's commits",
    scopes: ['repository'],
    params: RepositoryPath,
    query: CommitsQuery,
    answers: { 200: Type.Array(Commit) },
    open: openCode,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const { commits, total } = await listPage(ctx, opened, query)
      const body = await present(ctx, opened, commits, query)
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
  route({
    method: 'GET',
    path: '/repos/:owner/:repo/git/commits/:sha.:diffType(^(?:diff|patch)$)',
    operationId: 'repoDownloadCommitDiffOrPatch',
    tag: 'repository',
    summary: 'Download a commit as a diff or patch',
    scopes: ['repository'],
    params: DiffPath,
    answers: { 200: Bytes },
    open: openCode,
    handle: async ({ ctx, opened, params }) => {
      const commit = await getCommit(ctx, opened, params.sha, { stat: false, files: false })
      const open = params.diffType === 'diff' ? openDiff : openPatches
      const comparison = { from: commit.parents[0] ?? null, to: commit.oid }
      const body = await open(ctx, opened.storage_id, comparison, { withBinary: false })
      return { ...ok(body), headers: PLAIN_TEXT }
    },
  }),
]

async function present(
  ctx: Context,
  code: Code,
  commits: readonly LoggedCommit[],
  details: CommitDetails,
): Promise<Commit[]> {
  const parts = await loadParts(ctx, code, commits, details)
  return commits.map((commit) => presentCommit(commit, parts, code, ctx.site))
}

/** Compat: this one list tells its pages twice. With a path, the size told is the one asked for. */
function headersOf(visit: Parameters<typeof pageHeaders>[0], total: number): Record<string, string> {
  const { number, limit } = pageOf(visit.ctx, visit.query)
  const pages = Math.ceil(total / limit)
  const headers = pageHeaders(visit, total)
  return {
    ...headers,
    'x-page': String(number),
    'x-perpage': String(limit),
    'x-total': String(total),
    'x-pagecount': String(pages),
    'x-hasmore': String(number < pages),
    'access-control-expose-headers': `${COMMIT_HEADERS}, ${headers['access-control-expose-headers']}`,
  }
}
