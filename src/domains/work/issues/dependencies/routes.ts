/** Dependencies over REST: `blocks`, and the inverse relation `dependencies`. */

import { Type } from 'typebox'
import { openTracker } from '#domains/code/repositories'
import { notFound } from '#platform/problem'
import { created, listed, ok, PageQuery, pageOf, type Route, routesOf } from '#platform/rest'
import { openIssue, openUnarchived } from '../records/open-issue.ts'
import { showIssue } from '../records/show-issues.ts'
import { Issue } from '../records/wire.ts'
import { addDependency, depend, removeDependency } from './depend.ts'
import { listBlocked, listBlockers } from './list-dependencies.ts'
import { DependencyPath, IssueMeta } from './schemas.ts'
import { HiddenIssue } from './wire.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BLOCKS = '/repos/:owner/:repo/issues/:index/blocks'
const DEPENDENCIES = '/repos/:owner/:repo/issues/:index/dependencies'

const blocks: readonly Route[] = [
  route({
    method: 'GET',
    path: BLOCKS,
    operationId: 'issueListBlocks',
    summary: 'List issues that are blocked by an issue',
    params: DependencyPath,
    query: PageQuery,
    answers: { 200: Type.Array(Issue) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, query, opened }) => {
      const issue = await openIssue(ctx, opened, numberOf(params.index))
      return ok(await listBlocked(ctx, issue, pageOf(ctx, query)))
    },
  }),
  route({
    method: 'POST',
    path: BLOCKS,
    operationId: 'issueCreateIssueBlocking',
    summary: 'Block the issue of the body by the issue of the path',
    params: DependencyPath,
    body: IssueMeta,
    answers: { 201: Issue },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await depend(ctx, opened, numberOf(params.index), body, 'blocker', addDependency)
      return created(await showIssue(ctx, opened.tracker, issue))
    },
  }),
  route({
    method: 'DELETE',
    path: BLOCKS,
    operationId: 'issueRemoveIssueBlocking',
    summary: 'Unblock the issue of the body by the issue of the path',
    params: DependencyPath,
    body: IssueMeta,
    answers: { 200: Issue },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await depend(ctx, opened, numberOf(params.index), body, 'blocker', removeDependency)
      return ok(await showIssue(ctx, opened.tracker, issue))
    },
  }),
]

const dependencies: readonly Route[] = [
  route({
    method: 'GET',
    path: DEPENDENCIES,
    operationId: 'issueListIssueDependencies',
    summary: 'List issues that block an issue',
    params: DependencyPath,
    query: PageQuery,
    answers: { 200: Type.Array(Type.Union([Issue, HiddenIssue])) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const issue = await openIssue(ctx, opened, numberOf(params.index))
      const { items, total } = await listBlockers(ctx, opened, issue, pageOf(ctx, query))
      return listed(visit, items, total)
    },
  }),
  route({
    method: 'POST',
    path: DEPENDENCIES,
    operationId: 'issueCreateIssueDependencies',
    summary: 'Add an issue that blocks an issue',
    params: DependencyPath,
    body: IssueMeta,
    answers: { 201: Issue },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await depend(ctx, opened, numberOf(params.index), body, 'blocked', addDependency)
      return created(await showIssue(ctx, opened.tracker, issue))
    },
  }),
  route({
    method: 'DELETE',
    path: DEPENDENCIES,
    operationId: 'issueRemoveIssueDependencies',
    summary: 'Remove an issue that blocks an issue',
    params: DependencyPath,
    body: IssueMeta,
    answers: { 200: Issue },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await depend(ctx, opened, numberOf(params.index), body, 'blocked', removeDependency)
      return ok(await showIssue(ctx, opened.tracker, issue))
    },
  }),
]

export const dependencyRoutes: readonly Route[] = [...blocks, ...dependencies]

function numberOf(index: string): number {
  if (!/^\d{1,15}$/.test(index)) throw notFound('issue', index)
  return Number(index)
}
