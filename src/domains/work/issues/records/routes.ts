/** Issues over REST. Every handler reads the same way: open, do, present. */
import { Type } from 'typebox'
import { openTracker, RepositoryPath } from '#domains/code/repositories'
import {
  created,
  deadlineOf,
  listed,
  MISTAKES_ARE_MALFORMED,
  noContent,
  ok,
  type Route,
  routesOf,
  time,
} from '#platform/rest'
import { createIssue } from './create-issue.ts'
import { deleteIssue } from './delete-issue.ts'
import { editDeadline, editIssue } from './edit-issue.ts'
import { findIssues } from './list-issues.ts'
import { openAsAdmin, openAsSignedIn, openIssue, openToAdd, openUnarchived } from './open-issue.ts'
import { CreateIssue, EditDeadline, EditIssue, IssueDeadline, IssuePath, IssuesQuery } from './schemas.ts'
import { showIssue, showIssues } from './show-issues.ts'
import { Issue } from './wire.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BASE = '/repos/:owner/:repo/issues'

export const issueRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'issueListIssues',
    summary: "List a repository's issues",
    params: RepositoryPath,
    query: IssuesQuery,
    answers: { 200: Type.Array(Issue) },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async (visit) => {
      const { ctx, query, opened } = visit
      const { items, total } = await findIssues(ctx, opened, query)
      return listed(visit, await showIssues(ctx, opened, items), total)
    },
  }),
  route({
    method: 'POST',
    path: BASE,
    operationId: 'issueCreateIssue',
    summary: 'Create an issue',
    params: RepositoryPath,
    body: CreateIssue,
    answers: { 201: Issue },
    open: openToAdd,
    handle: async ({ ctx, body, opened }) => {
      const issue = await createIssue(ctx, opened, body)
      return created(await showIssue(ctx, opened.tracker, issue))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:index`,
    operationId: 'issueGetIssue',
    summary: 'Get an issue',
    params: IssuePath,
    answers: { 200: Issue },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) =>
      ok(await showIssue(ctx, opened, await openIssue(ctx, opened, params.index))),
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:index`,
    operationId: 'issueEditIssue',
    summary: 'Update an issue',
    problemsAs: MISTAKES_ARE_MALFORMED,
    alsoRefuses: ['precondition'],
    params: IssuePath,
    body: EditIssue,
    answers: { 201: Issue },
    open: openUnarchived,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await editIssue(ctx, opened, params.index, body)
      return created(await showIssue(ctx, opened.tracker, issue))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:index`,
    operationId: 'issueDelete',
    summary: 'Delete an issue',
    params: IssuePath,
    answers: { 204: null },
    open: openAsAdmin,
    handle: async ({ ctx, params, opened }) => {
      await deleteIssue(ctx, opened, params.index)
      return noContent()
    },
  }),
  route({
    method: 'POST',
    path: `${BASE}/:index/deadline`,
    operationId: 'issueEditIssueDeadline',
    summary: 'Update the deadline of an issue',
    params: IssuePath,
    body: EditDeadline,
    answers: { 201: IssueDeadline },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      const deadline = body.due_date === undefined ? null : deadlineOf(body.due_date)
      const { deadline_at } = await editDeadline(ctx, opened, params.index, deadline)
      return created({ due_date: time(deadline_at) })
    },
  }),
]
