/** REST routes of the caller, other users, the user search, and the caller's settings. */
import { Type } from 'typebox'
import {
  asAnybody,
  asSignedIn,
  ok,
  pageFields,
  pageHeaders,
  pageOf,
  type Route,
  routesOf,
} from '#platform/rest'
import { keywordOf } from '../accounts/keywords.ts'
import { openUser } from '../accounts/open-user.ts'
import { searchUsers, takeAccounts } from '../accounts/queries.ts'
import { NotificationSettings, UserPath, UserSettingsOptions } from '../schemas.ts'
import { presentSettings, presentUser, User, UserSettings } from '../wire.ts'
import { editSettings, setEmailNotifications } from './settings.ts'

const route = routesOf({ tag: 'user', scopes: ['user'] })
const UserSearchResults = Type.Object({ data: Type.Array(User), ok: Type.Boolean() })

export const profileRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/user',
    operationId: 'userGetCurrent',
    summary: 'Get the authenticated user',
    answers: { 200: User },
    open: asSignedIn,
    handle: async ({ ctx, opened }) => ok(presentUser(opened.account, opened, ctx.site)),
  }),
  route({
    method: 'GET',
    path: '/users/search',
    operationId: 'userSearch',
    summary: 'Search for users',
    query: Type.Object({
      q: Type.Optional(
        Type.String({ description: 'keyword: part of a username, full name or email address' }),
      ),
      uid: Type.Optional(Type.Integer({ description: 'ID of the user' })),
      ...pageFields,
    }),
    answers: { 200: UserSearchResults },
    open: asAnybody,
    handle: async (visit) => {
      const { ctx, query } = visit
      const search = { keyword: keywordOf(query.q), id: query.uid || undefined }
      const { items, total } = await takeAccounts(searchUsers(ctx.db, ctx.actor, search), pageOf(ctx, query))
      const data = items.map((account) => presentUser(account, ctx.actor, ctx.site))
      return { ...ok({ data, ok: true }), headers: pageHeaders(visit, total) }
    },
  }),
  route({
    method: 'GET',
    path: '/users/:username',
    operationId: 'userGet',
    summary: 'Get a user',
    params: UserPath,
    answers: { 200: User },
    open: ({ ctx, params }) => openUser(ctx, params.username),
    handle: async ({ ctx, opened }) => ok(presentUser(opened, ctx.actor, ctx.site)),
  }),
  route({
    method: 'GET',
    path: '/user/settings',
    operationId: 'getUserSettings',
    summary: "Get the authenticated user's settings",
    refusesPublicOnly: true,
    answers: { 200: UserSettings },
    open: asSignedIn,
    handle: async ({ opened }) => ok(presentSettings(opened.account)),
  }),
  route({
    method: 'PATCH',
    path: '/user/settings',
    operationId: 'updateUserSettings',
    summary: "Update the authenticated user's settings",
    refusesPublicOnly: true,
    body: UserSettingsOptions,
    answers: { 200: UserSettings },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => ok(presentSettings(await editSettings(ctx, opened, body))),
  }),
  route({
    method: 'GET',
    path: '/user/settings/notifications',
    operationId: 'getNotificationSettings',
    summary: "Get the authenticated user's notification settings",
    refusesPublicOnly: true,
    answers: { 200: NotificationSettings },
    open: asSignedIn,
    handle: async ({ opened }) => ok({ email: opened.account.email_notifications }),
  }),
  route({
    method: 'PATCH',
    path: '/user/settings/notifications',
    operationId: 'updateNotificationSettings',
    summary: "Update the authenticated user's notification settings",
    refusesPublicOnly: true,
    body: NotificationSettings,
    answers: { 200: NotificationSettings },
    open: asSignedIn,
    handle: async ({ ctx, opened, body }) => {
      await setEmailNotifications(ctx, opened, body.email)
      return ok(body)
    },
  }),
]
