/** Issues on project boards over REST: the same routes for every scope. */
import { Type } from 'typebox'
import {
  factsOf,
  getColumn,
  getProject,
  inScope,
  listCards,
  type ProjectScope,
  projectScopes,
} from '#domains/work/projects'
import { created, listed, noContent, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { showReadable } from '../records/across.ts'
import { Issue } from '../records/wire.ts'
import { moveIssue, putIssue, takeIssue } from './place-issue.ts'

/** Within the safe integers of every client, with room for more cards behind the last. */
const SORTING_MAX = 1_000_000_000_000_000

const MoveIssue = Type.Object(
  {
    column_id: Type.Integer({ description: 'column to move the issue to' }),
    sorting: Type.Optional(
      Type.Integer({
        minimum: -SORTING_MAX,
        maximum: SORTING_MAX,
        description: 'place in the column; the end by default. Of issues with the same, the newest is first',
      }),
    ),
  },
  { title: 'MoveProjectIssueOption' },
)

export const cardRoutes: readonly Route[] = projectScopes.flatMap((scope) => [
  listRoute(scope),
  ...placingRoutes(scope),
  moveRoute(scope),
])

function listRoute(scope: ProjectScope): Route {
  return route({
    ...factsOf(scope),
    method: 'GET',
    path: `${scope.path}/:id/columns/:column_id/issues`,
    operationId: `${scope.prefix}ListProjectColumnIssues`,
    summary: `List the issues in a column of a project ${scope.whose}`,
    params: inScope(scope, { id: Type.Integer(), column_id: Type.Integer() }),
    query: PageQuery,
    answers: { 200: Type.Array(Issue) },
    open: scope.openToRead,
    handle: async (visit) => {
      const { ctx, params, query, opened } = visit
      const column = await getColumn(ctx, await getProject(ctx, opened, params.id), params.column_id)
      const { items, total } = await listCards(ctx, column.id, pageOf(ctx, query))
      const ids = items.map(({ issue_id }) => issue_id)
      const shown = await showReadable(ctx, ids)
      const issues = ids.flatMap((id) => shown.get(id) ?? [])
      return listed(visit, issues, total)
    },
  })
}

function placingRoutes(scope: ProjectScope): Route[] {
  const one = {
    ...factsOf(scope),
    path: `${scope.path}/:id/columns/:column_id/issues/:issue_id`,
    params: inScope(scope, { id: Type.Integer(), column_id: Type.Integer(), issue_id: Type.Integer() }),
    open: scope.openToWrite,
  }
  return [
    route({
      ...one,
      method: 'POST',
      operationId: `${scope.prefix}AddIssueToProjectColumn`,
      summary: `Add an issue to a column of a project ${scope.whose}`,
      answers: { 201: null },
      handle: async ({ ctx, params, opened }) => {
        await putIssue(ctx, opened, params)
        return created(undefined)
      },
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `${scope.prefix}RemoveIssueFromProjectColumn`,
      summary: `Remove an issue from a column of a project ${scope.whose}`,
      answers: { 204: null },
      handle: async ({ ctx, params, opened }) => {
        await takeIssue(ctx, opened, params)
        return noContent()
      },
    }),
  ]
}

function moveRoute(scope: ProjectScope): Route {
  return route({
    ...factsOf(scope),
    method: 'POST',
    path: `${scope.path}/:id/issues/:issue_id/move`,
    operationId: `${scope.prefix}MoveProjectIssue`,
    summary: `Move an issue on the board of a project ${scope.whose}`,
    params: inScope(scope, { id: Type.Integer(), issue_id: Type.Integer() }),
    body: MoveIssue,
    answers: { 204: null },
    open: scope.openToWrite,
    handle: async ({ ctx, params, body, opened }) => {
      await moveIssue(ctx, opened, { ...params, column_id: body.column_id }, body.sorting ?? null)
      return noContent()
    },
  })
}
