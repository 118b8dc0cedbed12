/** Merging over REST. Every handler reads the same way: open, do, present. */
import {
  openPull,
  openPulls,
  openPullsUnarchived,
  PullPath,
  PullRequest,
  showPull,
} from '#domains/review/pulls'
import { notFound } from '#platform/problem'
import { created, noContent, ok, type Route, routesOf } from '#platform/rest'
import { cancel } from './auto/schedule.ts'
import { mergePull } from './merging/merge-pull.ts'
import { CommitPath, MergePull, mergeOptionsOf, UpdateQuery } from './schemas.ts'
import { findPullOfCommit } from './store.ts'
import { updateHead } from './updating/update-head.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo'

export const mergeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${BASE}/pulls/:index/merge`,
    operationId: 'repoPullRequestIsMerged',
    summary: 'Check whether a pull request is merged',
    params: PullPath,
    answers: { 204: null },
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await openPull(ctx, opened, params.index)
      if (pull.merged_at === null) throw notFound('merge', params.index)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/pulls/:index/merge`,
    operationId: 'repoMergePullRequest',
    summary: 'Merge a pull request',
    alsoRefuses: ['method_not_allowed', 'precondition'],
    params: PullPath,
    body: MergePull,
    answers: { 200: null, 201: null },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const done = await mergePull(ctx, opened, params.index, mergeOptionsOf(body))
      return done === 'merged' ? ok(undefined) : created(undefined)
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/pulls/:index/merge`,
    operationId: 'repoCancelScheduledAutoMerge',
    summary: 'Delete the scheduled merge of a pull request',
    params: PullPath,
    answers: { 204: null },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, opened }) => {
      await cancel(ctx, opened, params.index)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/pulls/:index/update`,
    operationId: 'repoUpdatePullRequest',
    summary: 'Update the head branch of a pull request from its base branch',
    params: PullPath,
    query: UpdateQuery,
    answers: { 200: null },
    open: openPullsUnarchived,
    handle: async ({ ctx, params, query, opened }) => {
      // Compat: any other style is a merge.
      await updateHead(ctx, opened, params.index, query.style === 'rebase' ? 'rebase' : 'merge')
      return ok(undefined)
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/commits/:sha/pull`,
    operationId: 'repoGetCommitPullRequest',
    summary: 'Get the pull request that a commit was merged with',
    params: CommitPath,
    answers: { 200: PullRequest },
    open: openPulls,
    handle: async ({ ctx, params, opened }) => {
      const pull = await findPullOfCommit(ctx.db, opened.id, params.sha)
      if (pull === undefined) throw notFound('pull request of commit', params.sha)
      return ok(await showPull(ctx, opened, pull))
    },
  }),
]
