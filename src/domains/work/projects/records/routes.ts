/** Projects over REST: the same routes for every scope. */
import { Type } from 'typebox'
import { UserPath } from '#domains/people/users'
import type { Context } from '#platform/context'
import { created, listed, noContent, ok, pageOf, type Route, route } from '#platform/rest'
import { openOfAccount, type ProjectPlace } from '../open-place.ts'
import { factsOf, inScope, type ProjectScope, projectScopes } from '../route-scopes.ts'
import { CreateProject, EditProject, ProjectsQuery } from './schemas.ts'
import { showProject, showProjects } from './show-projects.ts'
import { listProjects } from './store.ts'
import { Project } from './wire.ts'
import { createProject, deleteProject, editProject, getProject } from './write-project.ts'

function routesIn(scope: ProjectScope): Route[] {
  const { path, prefix, whose, openToRead, openToWrite } = scope
  const all = { ...factsOf(scope), path, params: inScope(scope, {}) }
  const one = { ...factsOf(scope), path: `${path}/:id`, params: inScope(scope, { id: Type.Integer() }) }
  return [
    route({
      ...all,
      method: 'GET',
      operationId: `${prefix}ListProjects`,
      summary: `List the projects ${whose}`,
      query: ProjectsQuery,
      answers: { 200: Type.Array(Project) },
      open: openToRead,
      handle: async (visit) => list(visit, visit.opened),
    }),
    route({
      ...all,
      method: 'POST',
      operationId: `${prefix}CreateProject`,
      summary: `Create a project ${whose}`,
      body: CreateProject,
      answers: { 201: Project },
      open: openToWrite,
      handle: async ({ ctx, body, opened }) =>
        created(await showProject(ctx, opened, await createProject(ctx, opened, body))),
    }),
    route({
      ...one,
      method: 'GET',
      operationId: `${prefix}GetProject`,
      summary: `Get a project ${whose}`,
      answers: { 200: Project },
      open: openToRead,
      handle: async ({ ctx, params, opened }) =>
        ok(await showProject(ctx, opened, await getProject(ctx, opened, params.id))),
    }),
    route({
      ...one,
      method: 'PATCH',
      operationId: `${prefix}EditProject`,
      summary: `Update a project ${whose}`,
      body: EditProject,
      answers: { 200: Project },
      open: openToWrite,
      handle: async ({ ctx, params, body, opened }) =>
        ok(await showProject(ctx, opened, await editProject(ctx, opened, params.id, body))),
    }),
    route({
      ...one,
      method: 'DELETE',
      operationId: `${prefix}DeleteProject`,
      summary: `Delete a project ${whose}`,
      answers: { 204: null },
      open: openToWrite,
      handle: async ({ ctx, params, opened }) => {
        await deleteProject(ctx, opened, params.id)
        return noContent()
      },
    }),
  ]
}

export const projectRoutes: readonly Route[] = [
  ...projectScopes.flatMap(routesIn),
  route({
    method: 'GET',
    path: '/users/:username/projects',
    tag: 'user',
    scopes: ['user', 'issue'],
    operationId: 'userListProjects',
    summary: "List a user's projects",
    params: UserPath,
    query: ProjectsQuery,
    answers: { 200: Type.Array(Project) },
    open: ({ ctx, params }) => openOfAccount(ctx, params.username),
    handle: async (visit) => list(visit, visit.opened),
  }),
]

interface Asked {
  readonly ctx: Context
  readonly query: { page?: number; limit?: number; state?: string }
  readonly address: { readonly path: string; readonly query: URLSearchParams }
}

/** Compat: an unknown state means open. */
async function list(visit: Asked, place: ProjectPlace) {
  const { ctx, query } = visit
  const isClosed = query.state === 'all' ? null : query.state === 'closed'
  const { items, total } = await listProjects(ctx.db, place, isClosed, pageOf(ctx, query))
  return listed(visit, await showProjects(ctx, place, items), total)
}
