/** OAuth2 applications over REST. */
import { Type } from 'typebox'
import {
  asSignedIn,
  created,
  listed,
  listOf,
  noContent,
  ok,
  PageQuery,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import {
  createApplication,
  deleteApplication,
  editApplication,
  getApplication,
  listApplications,
} from './applications.ts'
import { Application, ApplicationOptions, presentApplication } from './schemas.ts'

const userRoute = routesOf({ tag: 'user', scopes: ['user'] })
const path = '/user/applications/oauth2'
const one = { path: `${path}/:id`, params: Type.Object({ id: Type.Integer() }) }

export const oauth2Routes: readonly Route[] = [
  userRoute({
    method: 'GET',
    path,
    operationId: 'userGetOauth2Application',
    summary: "List the authenticated user's OAuth2 applications",
    query: PageQuery,
    answers: { 200: listOf(Application) },
    open: asSignedIn,
    handle: async (visit) => {
      const { items, total } = await listApplications(visit.ctx, visit.opened, pageOf(visit.ctx, visit.query))
      const applications = items.map((row) => presentApplication(row))
      return listed(visit, applications, total, { links: false })
    },
  }),
  userRoute({
    method: 'POST',
    path,
    operationId: 'userCreateOAuth2Application',
    summary: 'Create an OAuth2 application; its secret is shown only once',
    body: ApplicationOptions,
    answers: { 201: Application },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      const { row, secret } = await createApplication(ctx, opened, body)
      return created(presentApplication(row, secret))
    },
  }),
  userRoute({
    ...one,
    method: 'GET',
    operationId: 'userGetOAuth2Application',
    summary: 'Get an OAuth2 application',
    answers: { 200: Application },
    open: asSignedIn,
    handle: async ({ ctx, opened, params }) =>
      ok(presentApplication(await getApplication(ctx, opened, params.id))),
  }),
  userRoute({
    ...one,
    method: 'PATCH',
    operationId: 'userUpdateOAuth2Application',
    summary: 'Update an OAuth2 application, which gives it a new secret',
    body: ApplicationOptions,
    answers: { 200: Application },
    open: asSignedIn,
    handle: async ({ ctx, opened, params, body }) => {
      const { row, secret } = await editApplication(ctx, opened, params.id, body)
      return ok(presentApplication(row, secret))
    },
  }),
  userRoute({
    ...one,
    method: 'DELETE',
    operationId: 'userDeleteOAuth2Application',
    summary: 'Delete an OAuth2 application',
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened, params }) => {
      await deleteApplication(ctx, opened, params.id)
      return noContent()
    },
  }),
]
