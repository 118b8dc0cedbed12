/** REST routes of the caller's email addresses. */
import { Type } from 'typebox'
import { asSignedIn, created, noContent, ok, type Route, routesOf } from '#platform/rest'
import { CreateEmailOption, DeleteEmailOption } from '../schemas.ts'
import { Email, presentEmail } from '../wire.ts'
import { addEmails, findEmails, removeEmails } from './emails.ts'

const route = routesOf({ tag: 'user', scopes: ['user'], refusesPublicOnly: true })

export const emailRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/emails',
    operationId: 'userListEmails',
    summary: "List the authenticated user's email addresses",
    answers: { 200: Type.Array(Email) },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => ok((await findEmails(ctx.db, opened.id)).map(presentEmail)),
  }),
  route({
    method: 'POST',
    path: '/user/emails',
    operationId: 'userAddEmail',
    summary: 'Add email addresses for the authenticated user',
    body: CreateEmailOption,
    answers: { 201: Type.Array(Email) },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) =>
      created((await addEmails(ctx, opened, body.emails ?? [])).map(presentEmail)),
  }),
  route({
    method: 'DELETE',
    path: '/user/emails',
    operationId: 'userDeleteEmail',
    summary: "Delete the authenticated user's email addresses",
    body: DeleteEmailOption,
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      await removeEmails(ctx, opened, body.emails ?? [])
      return noContent()
    },
  }),
]
