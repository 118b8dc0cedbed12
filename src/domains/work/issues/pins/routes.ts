/** Pinned issues over REST. */
import { Type } from 'typebox'
import { inRepository, openTracker, RepositoryPath } from '#domains/code/repositories'
import { noContent, ok, type Route, routesOf } from '#platform/rest'
import { mayRead, openAsAdmin } from '../records/open-issue.ts'
import { IssuePath } from '../records/schemas.ts'
import { showIssues } from '../records/show-issues.ts'
import { Issue } from '../records/wire.ts'
import { movePin, PINNED_MAX, pinIssue, unpinIssue } from './pin-issue.ts'
import { listPinned } from './store.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const repositoryRoute = routesOf({ tag: 'repository', scopes: ['repository'] })
const BASE = '/repos/:owner/:repo/issues'
const PinsAllowed = Type.Object(
  { issues: Type.Boolean(), pull_requests: Type.Boolean() },
  { title: 'NewIssuePinsAllowed' },
)

export const pinRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${BASE}/pinned`,
    operationId: 'repoListPinnedIssues',
    summary: "List a repository's pinned issues",
    params: RepositoryPath,
    answers: { 200: Type.Array(Issue) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, opened }) => {
      const pinned = mayRead(opened, false) ? await listPinned(ctx.db, opened.id, false) : []
      return ok(await showIssues(ctx, opened, pinned))
    },
  }),
  repositoryRoute({
    method: 'GET',
    path: '/repos/:owner/:repo/new_pin_allowed',
    operationId: 'repoNewPinAllowed',
    summary: 'Check whether more issues and pull requests can be pinned',
    params: RepositoryPath,
    answers: { 200: PinsAllowed },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, opened }) => {
      const issues = await listPinned(ctx.db, opened.id, false)
      const pulls = await listPinned(ctx.db, opened.id, true)
      return ok({ issues: issues.length < PINNED_MAX, pull_requests: pulls.length < PINNED_MAX })
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/:index/pin`,
    operationId: 'pinIssue',
    summary: 'Pin an issue',
    params: IssuePath,
    answers: { 204: null },
    open: openAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await pinIssue(ctx, opened, params.index)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:index/pin`,
    operationId: 'unpinIssue',
    summary: 'Unpin an issue',
    params: IssuePath,
    answers: { 204: null },
    open: openAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await unpinIssue(ctx, opened, params.index)
      return noContent()
    },
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:index/pin/:position`,
    operationId: 'moveIssuePin',
    summary: 'Move a pinned issue to a position',
    params: inRepository({ index: Type.Integer(), position: Type.Integer() }),
    answers: { 204: null },
    open: openAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await movePin(ctx, opened, params.index, params.position)
      return noContent()
    },
  }),
]
