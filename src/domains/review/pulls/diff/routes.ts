/** The changes of a pull request over REST: files, commits, diff and patch. */
import { Type } from 'typebox'
import { Commit, CommitQuery, showCommits, Whitespace } from '#domains/code/contents'
import { inRepository } from '#domains/code/repositories'
import { diffFiles, listHistory, openDiff, openPatches } from '#git'
import { Bytes, ok, PageQuery, pageHeadersTwice, pageOf, type Route, routesOf, SANDBOX } from '#platform/rest'
import { openPull, openPulls } from '../records/open-pull.ts'
import { PullPath } from '../records/schemas.ts'
import { spanOf } from './span.ts'
import { ChangedFile, presentChangedFile } from './wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/pulls/:index'
const PATH_MAX = 4_096
const PLAIN_TEXT = { 'content-type': 'text/plain; charset=utf-8' }

const { stat: _, ...commitDetails } = CommitQuery.properties
const CommitsQuery = Type.Object({ ...commitDetails, ...PageQuery.properties })
const FilesQuery = Type.Object({
  'skip-to': Type.Optional(
    Type.String({ maxLength: PATH_MAX, description: 'the file to begin the list with' }),
  ),
  whitespace: Whitespace,
  ...PageQuery.properties,
})
const DiffPath = inRepository({
  index: Type.Integer(),
  diffType: Type.Union([Type.Literal('diff'), Type.Literal('patch')]),
})

/** Sent as plain text, so that browsers display it and execute nothing. */
const downloading = (facts: Pick<Route, 'path' | 'operationId' | 'summary' | 'isPage'>): Route =>
  route({
    ...facts,
    method: 'GET',
    params: DiffPath,
    query: Type.Object({
      binary: Type.Optional(Type.Boolean({ description: 'with changes of binary files' })),
    }),
    answers: { 200: Bytes },
    open: openPulls,
    handle: async ({ ctx, params, query, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      const open = params.diffType === 'diff' ? openDiff : openPatches
      const span = await spanOf(ctx, opened.storage_id, pull)
      const body = await open(ctx, opened.storage_id, span, { withBinary: query.binary ?? false })
      return { ...ok(body), headers: { ...PLAIN_TEXT, 'content-security-policy': SANDBOX } }
    },
  })

export const diffRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${BASE}/files`,
    operationId: 'repoGetPullRequestFiles',
    summary: 'List the changed files of a pull request',
    params: PullPath,
    query: FilesQuery,
    answers: { 200: Type.Array(ChangedFile) },
    open: openPulls,
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const pull = await openPull(ctx, opened, params.index)
      const span = await spanOf(ctx, opened.storage_id, pull)
      const options = { withRenames: true, whitespace: query.whitespace ?? 'show-all' }
      const { files } = await diffFiles(ctx, opened.storage_id, span, options)
      const from = query['skip-to'] ? files.findIndex(({ path }) => path === query['skip-to']) : 0
      const { offset, limit } = pageOf(ctx, query)
      const rest = files.slice(Math.max(0, from))
      const page = rest.slice(offset, offset + limit)
      const body = page.map((file) => presentChangedFile(file, pull.head_oid, opened, ctx.site))
      return { ...ok(body), headers: pageHeadersTwice(visit, rest.length) }
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/commits`,
    operationId: 'repoGetPullRequestCommits',
    summary: 'List the commits of a pull request',
    params: PullPath,
    query: CommitsQuery,
    answers: { 200: Type.Array(Commit) },
    open: openPulls,
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const pull = await openPull(ctx, opened, params.index)
      const { from, to } = await spanOf(ctx, opened.storage_id, pull)
      const { offset, limit } = pageOf(ctx, query)
      const window = { skip: offset, limit, withStats: true, withFiles: query.files ?? true }
      const history = { start: to, ...(from === null ? {} : { not: [from] }) }
      const { commits, total } = await listHistory(ctx, opened.storage_id, history, window)
      const body = await showCommits(ctx, opened, commits, query)
      return { ...ok(body), headers: pageHeadersTwice(visit, total) }
    },
  }),
  downloading({
    path: '/repos/:owner/:repo/pulls/:index.:diffType(^(?:diff|patch)$)',
    operationId: 'repoDownloadPullDiffOrPatch',
    summary: 'Download a pull request as a diff or patch',
  }),
  downloading({
    isPage: true,
    path: '/:owner/:repo/pulls/:index.:diffType(^(?:diff|patch)$)',
    operationId: 'pagePullDiffOrPatch',
    summary: 'Download a pull request as a diff or patch from its web address',
  }),
]
