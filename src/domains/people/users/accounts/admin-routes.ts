/** REST routes of users for site administrators. */
import { type Static, Type } from 'typebox'
import { invalid } from '#platform/problem'
import {
  asSiteAdmin,
  created,
  listed,
  noContent,
  ok,
  pageFields,
  pageOf,
  type Route,
  route,
  type Visibility,
} from '#platform/rest'
import { CreateUserOption, EditUserOption, RenameUserOption } from '../schemas.ts'
import { presentUser, User } from '../wire.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { editUser, renameUser } from './edit-user.ts'
import { endAccess } from './end-access.ts'
import { keywordOf } from './keywords.ts'
import { openManaged } from './open-user.ts'
import { filterUsers, SORTS, takeAccounts, type UserFilter } from './queries.ts'

const Username = Type.Object({ username: Type.String() })

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const Filter = Type.Object({
  q: text('keyword: part of a username, full name or email address'),
  source_id: Type.Optional(Type.Integer({ description: 'ID of the authentication source' })),
  login_name: text('login name at the authentication source'),
  visibility: text('visibility: public, limited or private'),
  is_active: flag('filter by whether the user is active'),
  is_admin: flag('filter by whether the user is an administrator'),
  is_restricted: flag('filter by whether the user is restricted'),
  is_2fa_enabled: flag('filter by whether two-factor authentication is enabled'),
  is_prohibit_login: flag('filter by whether the user is prohibited from signing in'),
  sort: text('sort by name (default), created, updated or id'),
  order: text('sort order: asc (default) or desc'),
  ...pageFields,
})

export const adminUserRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/admin/users',
    operationId: 'adminSearchUsers',
    tag: 'admin',
    summary: 'List or search all users',
    scopes: ['admin'],
    query: Filter,
    answers: { 200: Type.Array(User) },
    open: asSiteAdmin,
    handle: async (visit) => {
      const { ctx, opened, query } = visit
      const listing = filterUsers(ctx.db, opened, filterOf(query))
      const { items, total } = await takeAccounts(listing, pageOf(ctx, query))
      const users = items.map((account) => presentUser(account, opened, ctx.site))
      return listed(visit, users, total)
    },
  }),
  route({
    method: 'POST',
    path: '/admin/users',
    operationId: 'adminCreateUser',
    tag: 'admin',
    summary: 'Create a user',
    scopes: ['admin'],
    body: CreateUserOption,
    answers: { 201: User },
    open: asSiteAdmin,
    handle: async ({ ctx, opened, body }) =>
      created(presentUser(await createUser(ctx, body), opened, ctx.site)),
  }),
  route({
    method: 'PATCH',
    path: '/admin/users/:username',
    operationId: 'adminEditUser',
    tag: 'admin',
    summary: 'Update a user',
    scopes: ['admin'],
    params: Username,
    body: EditUserOption,
    answers: { 200: User },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async ({ ctx, opened: { admin, user }, body }) =>
      ok(presentUser(await editUser(ctx, admin, user, body), admin, ctx.site)),
  }),
  route({
    method: 'POST',
    path: '/admin/users/:username/rename',
    operationId: 'adminRenameUser',
    tag: 'admin',
    summary: 'Rename a user',
    scopes: ['admin'],
    params: Username,
    body: RenameUserOption,
    answers: { 204: null },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async ({ ctx, opened: { admin, user }, body }) => {
      await renameUser(ctx, admin, user, body.new_username)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/users/:username/sessions',
    operationId: 'adminEndUserSessions',
    tag: 'admin',
    summary: 'End all sessions and access tokens of a user',
    scopes: ['admin'],
    params: Username,
    answers: { 204: null },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async ({ ctx, opened: { admin, user } }) => {
      await endAccess(ctx, admin, user)
      return noContent()
    },
  }),
  route({
    method: 'DELETE',
    path: '/admin/users/:username',
    operationId: 'adminDeleteUser',
    tag: 'admin',
    summary: 'Delete a user, optionally with everything they own',
    scopes: ['admin'],
    params: Type.Object({ username: Type.String() }),
    query: Type.Object({ purge: Type.Optional(Type.Boolean()) }),
    answers: { 204: null },
    open: (visit) => openManaged(visit, visit.params.username),
    handle: async ({ ctx, query, opened: { admin, user } }) => {
      await deleteUser(ctx, admin, user, { purge: query.purge ?? false })
      return noContent()
    },
  }),
]

function filterOf(query: Static<typeof Filter>): UserFilter {
  return {
    keyword: keywordOf(query.q),
    // Compat: source id 0 is no filter.
    source_id: query.source_id || undefined,
    login_name: query.login_name?.trim() || undefined,
    visibility: oneOf<Visibility>('visibility', ['public', 'limited', 'private'], query.visibility),
    is_active: query.is_active,
    is_admin: query.is_admin,
    is_restricted: query.is_restricted,
    prohibits_login: query.is_prohibit_login,
    has_second_factor: query.is_2fa_enabled,
    sort: oneOf('sort', SORTS, query.sort) ?? 'name',
    // Compat: `order` without `sort` is ignored.
    order: (query.sort && oneOf('order', ['asc', 'desc'] as const, query.order)) || 'asc',
  }
}

function oneOf<T extends string>(
  name: string,
  choices: readonly T[],
  given: string | undefined,
): T | undefined {
  if (given === undefined || given === '') return undefined
  const found = choices.find((choice) => choice === given)
  if (found === undefined) throw invalid(`${name}: must be one of ${choices.join(', ')}`)
  return found
}
