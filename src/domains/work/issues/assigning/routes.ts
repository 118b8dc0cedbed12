/** Assignees of an issue over REST. */
import { Type } from 'typebox'
import {
  findAccessOf,
  findPerson,
  inRepository,
  mayBeAssigned,
  openTracker,
} from '#domains/code/repositories'
import { notFound } from '#platform/problem'
import { created, noContent, ok, type Route, routesOf } from '#platform/rest'
import { openAsSignedIn, openIssue } from '../records/open-issue.ts'
import { IssuePath, Logins } from '../records/schemas.ts'
import { showIssue } from '../records/show-issues.ts'
import { Issue } from '../records/wire.ts'
import { changeAssignees } from './assign.ts'

const route = routesOf({ tag: 'issue', scopes: ['issue'] })
const BASE = '/repos/:owner/:repo/issues/:index/assignees'
const IssueAssignees = Type.Object({ assignees: Type.Optional(Logins) }, { title: 'IssueAssigneesOption' })

export const assigningRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: BASE,
    operationId: 'issueAddAssignees',
    summary: 'Add assignees to an issue',
    params: IssuePath,
    body: IssueAssignees,
    answers: { 201: Issue },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await changeAssignees(ctx, opened, params.index, body.assignees ?? [], 'add')
      return created(await showIssue(ctx, opened.tracker, issue))
    },
  }),
  route({
    method: 'DELETE',
    path: BASE,
    operationId: 'issueRemoveAssignees',
    summary: 'Remove assignees from an issue',
    params: IssuePath,
    body: IssueAssignees,
    answers: { 200: Issue },
    open: openAsSignedIn,
    handle: async ({ ctx, params, body, opened }) => {
      const issue = await changeAssignees(ctx, opened, params.index, body.assignees ?? [], 'remove')
      return ok(await showIssue(ctx, opened.tracker, issue))
    },
  }),
  route({
    method: 'GET',
    path: `${BASE}/:assignee`,
    operationId: 'issueCheckAssignee',
    summary: 'Check whether a user can be assigned to an issue',
    params: inRepository({ index: Type.Integer(), assignee: Type.String() }),
    answers: { 204: null },
    open: ({ ctx, params }) => openTracker(ctx, params),
    handle: async ({ ctx, params, opened }) => {
      await openIssue(ctx, opened, params.index)
      const person = await findPerson(ctx, opened, params.assignee)
      const access = person === undefined ? undefined : await findAccessOf(ctx, opened.id, person)
      if (access === undefined || !mayBeAssigned(access)) throw notFound('assignee', params.assignee)
      return noContent()
    },
  }),
]
