/** One's own addresses over REST. */
import { Type } from 'typebox'
import { asSignedIn, created, noContent, ok, type Route, route } from '#platform/rest'
import { addEmails, findEmails, removeEmails } from '../emails.ts'
import { CreateEmailOption, DeleteEmailOption } from '../schemas.ts'
import { Email, presentEmail } from '../wire.ts'

export const emailRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user/emails',
    operationId: 'userListEmails',
    tag: 'user',
    summary: "List the authenticated user's email addresses",
    scopes: ['user'],
    refusesPublicOnly: true,
    answers: { 200: Type.Array(Email) },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => ok((await findEmails(ctx.db, opened.id)).map(presentEmail)),
  }),
  route({
    method: 'POST',
    path: '/user/emails',
    operationId: 'userAddEmail',
    tag: 'user',
    summary: 'Add email addresses for the authenticated user',
    scopes: ['user'],
    refusesPublicOnly: true,
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
    tag: 'user',
    summary: "Delete the authenticated user's email addresses",
    scopes: ['user'],
    refusesPublicOnly: true,
    body: DeleteEmailOption,
    answers: { 204: null },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      await removeEmails(ctx, opened, body.emails ?? [])
      return noContent()
    },
  }),
]
