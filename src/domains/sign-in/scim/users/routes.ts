/** The endpoint `/Users`. */
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { RawRoute } from '#platform/rest'
import { openSource, type Provisioned } from '../open.ts'
import { readOperations } from '../patch/operations.ts'
import { listOf, nothing, resource, show } from '../protocol/answers.ts'
import { scimRoute } from '../protocol/endpoint.ts'
import { BASE } from '../protocol/names.ts'
import {
  assertVersion,
  etagOf,
  type Json,
  ListParams,
  type ListWish,
  matchesTag,
  paramsOfSearch,
  readJson,
  type Shown,
  ShownParams,
  shownOf,
  wishOf,
} from '../protocol/requests.ts'
import type { ScimUserRow } from '../tables.ts'
import type { ScimClient } from '../tokens/tokens.ts'
import { readUser } from './read-user.ts'
import { findGroupsOf, listScimUsers, selectScimUsers } from './store.ts'
import { locationOf, presentScimUser } from './wire.ts'
import { createScimUser, deleteScimUser, patchScimUser, replaceScimUser } from './write.ts'

const PATH = `${BASE}/Users`
const UserPath = Type.Object({ id: Type.String() })
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export const userRoutes: readonly RawRoute[] = [
  scimRoute({
    method: 'GET',
    path: PATH,
    operationId: 'scimListUsers',
    query: ListParams,
    open: openSource,
    handle: ({ ctx, opened, query }) => list(ctx, opened, wishOf(query)),
  }),
  scimRoute({
    method: 'POST',
    path: `${PATH}/.search`,
    operationId: 'scimSearchUsers',
    onlyReads: true,
    open: openSource,
    handle: ({ ctx, opened, body }) => list(ctx, opened, wishOf(paramsOfSearch(readJson(body)))),
  }),
  scimRoute({
    method: 'POST',
    path: PATH,
    operationId: 'scimCreateUser',
    query: ShownParams,
    open: openSource,
    handle: async ({ ctx, opened, body, query }) => {
      const row = await createScimUser(ctx, opened, readUser(readJson(body)))
      return answer(ctx, row, shownOf(query), 201)
    },
  }),
  scimRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'scimGetUser',
    params: UserPath,
    query: ShownParams,
    open: openUser,
    handle: async ({ ctx, opened: { user }, query, headers }) => {
      const tag = headers['if-none-match']
      if (tag !== undefined && matchesTag(tag, user)) return nothing(304, { etag: etagOf(user) })
      return answer(ctx, user, shownOf(query))
    },
  }),
  scimRoute({
    method: 'PUT',
    path: `${PATH}/:id`,
    operationId: 'scimReplaceUser',
    params: UserPath,
    query: ShownParams,
    open: openUser,
    handle: async ({ ctx, opened: { source, user }, body, query, headers }) => {
      const sent = readUser(readJson(body))
      const row = await replaceScimUser(ctx, source, user, sent, versionOf(headers))
      return answer(ctx, row, shownOf(query))
    },
  }),
  scimRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    operationId: 'scimPatchUser',
    params: UserPath,
    query: ShownParams,
    open: openUser,
    handle: async ({ ctx, opened: { source, user }, body, query, headers }) => {
      const operations = readOperations(readJson(body))
      const row = await patchScimUser(ctx, source, user, operations, versionOf(headers))
      return answer(ctx, row, shownOf(query))
    },
  }),
  scimRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'scimDeleteUser',
    params: UserPath,
    open: openUser,
    handle: async ({ ctx, opened: { source, user }, headers }) => {
      await deleteScimUser(ctx, source, user, versionOf(headers))
      return nothing()
    },
  }),
]

interface OpenedUser {
  readonly source: Provisioned
  readonly user: ScimUserRow
  /** Named by the audit record. */
  readonly person: { readonly id: number; readonly login: string }
}

/** Only users of the client's own source. */
async function openUser(visit: {
  readonly ctx: Context
  readonly bearer: ScimClient | null
  readonly params: { readonly id: string }
}): Promise<OpenedUser> {
  const source = await openSource(visit)
  const id = visit.params.id.toLowerCase()
  const row = UUID.test(id)
    ? await selectScimUsers(visit.ctx.db, source.source.id)
        .innerJoin('account', 'account.id', 'scim_user.account_id')
        .select('account.login')
        .where('scim_user.id', '=', id)
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw notFound('user', visit.params.id)
  const { login, ...user } = row
  return { source, user, person: { id: user.account_id, login } }
}

async function list(ctx: Context, { source }: Provisioned, wish: ListWish) {
  const { items, total } = await listScimUsers(ctx.db, source.id, wish)
  const resources = await present(ctx, source.id, items, wish.shown)
  return listOf(resources, total, wish.startIndex)
}

async function answer(ctx: Context, row: ScimUserRow, shown: Shown, status = 200) {
  const [body = {}] = await present(ctx, row.source_id, [row], shown)
  const headers = { etag: etagOf(row), location: locationOf(row, ctx.site.url) }
  return resource(body, { status, headers })
}

async function present(
  ctx: Context,
  sourceId: number,
  rows: readonly ScimUserRow[],
  shown: Shown,
): Promise<Json[]> {
  const ids = rows.map(({ account_id }) => account_id)
  const groups = await findGroupsOf(ctx.db, sourceId, ids)
  return rows.map((row) => show(presentScimUser(row, groups.get(row.account_id) ?? [], ctx.site.url), shown))
}

function versionOf(headers: IncomingHttpHeaders) {
  return (row: ScimUserRow) => assertVersion(headers, row)
}
