/** Columns of projects over REST: the same routes for every scope. */
import { Type } from 'typebox'
import { created, listed, noContent, ok, PageQuery, pageOf, type Route, route } from '#platform/rest'
import { getProject } from '../records/write-project.ts'
import { factsOf, inScope, type ProjectScope, projectScopes } from '../route-scopes.ts'
import { CreateColumn, EditColumn, MoveColumns } from './schemas.ts'
import { showColumn, showColumns } from './show-columns.ts'
import { listColumns } from './store.ts'
import { ProjectColumn } from './wire.ts'
import {
  chooseDefault,
  createColumn,
  deleteColumn,
  editColumn,
  getColumn,
  orderColumns,
} from './write-column.ts'

export const columnRoutes: readonly Route[] = projectScopes.flatMap((scope) => [
  ...allIn(scope),
  ...oneIn(scope),
])

function allIn(scope: ProjectScope): Route[] {
  const { path, prefix, whose, openToRead, openToWrite } = scope
  const all = {
    ...factsOf(scope),
    path: `${path}/:id/columns`,
    params: inScope(scope, { id: Type.Integer() }),
  }
  return [
    route({
      ...all,
      method: 'GET',
      operationId: `${prefix}ListProjectColumns`,
      summary: `List the columns of a project ${whose}`,
      query: PageQuery,
      answers: { 200: Type.Array(ProjectColumn) },
      open: openToRead,
      handle: async (visit) => {
        const { ctx, params, query, opened } = visit
        const { id } = await getProject(ctx, opened, params.id)
        const { items, total } = await listColumns(ctx.db, id, pageOf(ctx, query))
        return listed(visit, await showColumns(ctx, items), total)
      },
    }),
    route({
      ...all,
      method: 'POST',
      operationId: `${prefix}CreateProjectColumn`,
      summary: `Create a column in a project ${whose}`,
      body: CreateColumn,
      answers: { 201: ProjectColumn },
      open: openToWrite,
      handle: async ({ ctx, params, body, opened }) =>
        created(await showColumn(ctx, await createColumn(ctx, opened, params.id, body))),
    }),
    route({
      ...all,
      method: 'POST',
      path: `${all.path}/move`,
      operationId: `${prefix}MoveProjectColumns`,
      summary: `Move the columns of a project ${whose}`,
      body: MoveColumns,
      answers: { 204: null },
      open: openToWrite,
      handle: async ({ ctx, params, body, opened }) => {
        await orderColumns(ctx, opened, params.id, body.column_ids)
        return noContent()
      },
    }),
  ]
}

function oneIn(scope: ProjectScope): Route[] {
  const { path, prefix, whose, openToRead, openToWrite } = scope
  const one = {
    ...factsOf(scope),
    path: `${path}/:id/columns/:column_id`,
    params: inScope(scope, { id: Type.Integer(), column_id: Type.Integer() }),
  }
  return [
    route({
      ...one,
      method: 'GET',
      operationId: `${prefix}GetProjectColumn`,
      summary: `Get a column of a project ${whose}`,
      answers: { 200: ProjectColumn },
      open: openToRead,
      handle: async ({ ctx, params, opened }) => {
        const project = await getProject(ctx, opened, params.id)
        return ok(await showColumn(ctx, await getColumn(ctx, project, params.column_id)))
      },
    }),
    route({
      ...one,
      method: 'PATCH',
      operationId: `${prefix}EditProjectColumn`,
      summary: `Update a column of a project ${whose}`,
      body: EditColumn,
      answers: { 200: ProjectColumn },
      open: openToWrite,
      handle: async ({ ctx, params, body, opened }) =>
        ok(await showColumn(ctx, await editColumn(ctx, opened, params.id, params.column_id, body))),
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `${prefix}DeleteProjectColumn`,
      summary: `Delete a column of a project ${whose}`,
      answers: { 204: null },
      open: openToWrite,
      handle: async ({ ctx, params, opened }) => {
        await deleteColumn(ctx, opened, params.id, params.column_id)
        return noContent()
      },
    }),
    route({
      ...one,
      method: 'POST',
      path: `${one.path}/default`,
      operationId: `${prefix}SetDefaultProjectColumn`,
      summary: `Update the default column of a project ${whose}`,
      answers: { 204: null },
      open: openToWrite,
      handle: async ({ ctx, params, opened }) => {
        await chooseDefault(ctx, opened, params.id, params.column_id)
        return noContent()
      },
    }),
  ]
}
