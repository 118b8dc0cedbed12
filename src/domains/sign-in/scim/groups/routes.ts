/** The endpoint `/Groups`. */
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { RawRoute } from '#platform/rest'
import { openSource, type Provisioned } from '../open.ts'
import { readOperations } from '../patch/operations.ts'
import { listOf, nothing, resource, show, shows } from '../protocol/answers.ts'
import { scimRoute } from '../protocol/endpoint.ts'
import { BASE, GROUPS_WITH_MEMBERS_MAX } from '../protocol/names.ts'
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
import type { ScimGroupRow } from '../tables.ts'
import type { ScimClient } from '../tokens/tokens.ts'
import { readGroup } from './read-group.ts'
import { findMembersOf, listScimGroups, selectScimGroups } from './store.ts'
import { locationOf, presentScimGroup } from './wire.ts'
import { createScimGroup, deleteScimGroup, patchScimGroup, replaceScimGroup } from './write.ts'

const PATH = `${BASE}/Groups`
const GroupPath = Type.Object({ id: Type.String() })
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

export const groupRoutes: readonly RawRoute[] = [
  scimRoute({
    method: 'GET',
    path: PATH,
    operationId: 'scimListGroups',
    query: ListParams,
    open: openSource,
    handle: ({ ctx, opened, query }) => list(ctx, opened, wishOf(query)),
  }),
  scimRoute({
    method: 'POST',
    path: `${PATH}/.search`,
    operationId: 'scimSearchGroups',
    onlyReads: true,
    open: openSource,
    handle: ({ ctx, opened, body }) => list(ctx, opened, wishOf(paramsOfSearch(readJson(body)))),
  }),
  scimRoute({
    method: 'POST',
    path: PATH,
    operationId: 'scimCreateGroup',
    query: ShownParams,
    open: openSource,
    handle: async ({ ctx, opened, body, query }) => {
      const row = await createScimGroup(ctx, opened, readGroup(readJson(body)))
      return answer(ctx, row, shownOf(query), 201)
    },
  }),
  scimRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'scimGetGroup',
    params: GroupPath,
    query: ShownParams,
    open: openGroup,
    handle: async ({ ctx, opened: { group }, query, headers }) => {
      const tag = headers['if-none-match']
      if (tag !== undefined && matchesTag(tag, group)) return nothing(304, { etag: etagOf(group) })
      return answer(ctx, group, shownOf(query))
    },
  }),
  scimRoute({
    method: 'PUT',
    path: `${PATH}/:id`,
    operationId: 'scimReplaceGroup',
    params: GroupPath,
    query: ShownParams,
    open: openGroup,
    handle: async ({ ctx, opened: { source, group }, body, query, headers }) => {
      const sent = readGroup(readJson(body))
      return answer(ctx, await replaceScimGroup(ctx, source, group, sent, versionOf(headers)), shownOf(query))
    },
  }),
  scimRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    operationId: 'scimPatchGroup',
    params: GroupPath,
    query: ShownParams,
    open: openGroup,
    handle: async ({ ctx, opened: { source, group }, body, query, headers }) => {
      const operations = readOperations(readJson(body))
      const row = await patchScimGroup(ctx, source, group, operations, versionOf(headers))
      return answer(ctx, row, shownOf(query))
    },
  }),
  scimRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'scimDeleteGroup',
    params: GroupPath,
    open: openGroup,
    handle: async ({ ctx, opened: { source, group }, headers }) => {
      await deleteScimGroup(ctx, source, group, versionOf(headers))
      return nothing()
    },
  }),
]

/** Only groups of the client's own source. */
async function openGroup(visit: {
  readonly ctx: Context
  readonly bearer: ScimClient | null
  readonly params: { readonly id: string }
}): Promise<{ readonly source: Provisioned; readonly group: ScimGroupRow }> {
  const source = await openSource(visit)
  const id = visit.params.id.toLowerCase()
  const group = UUID.test(id)
    ? await selectScimGroups(visit.ctx.db, source.source.id).where('id', '=', id).executeTakeFirst()
    : undefined
  if (group === undefined) throw notFound('group', visit.params.id)
  return { source, group }
}

async function list(ctx: Context, { source }: Provisioned, wish: ListWish) {
  const most = shows('members', wish.shown) ? GROUPS_WITH_MEMBERS_MAX : wish.count
  const { items, total } = await listScimGroups(ctx.db, source.id, {
    ...wish,
    count: Math.min(wish.count, most),
  })
  return listOf(await present(ctx, items, wish.shown), total, wish.startIndex)
}

async function answer(ctx: Context, row: ScimGroupRow, shown: Shown, status = 200) {
  const [body = {}] = await present(ctx, [row], shown)
  const headers = { etag: etagOf(row), location: locationOf(row, ctx.site.url) }
  return resource(body, { status, headers })
}

/** Members are read only if the client wants them: there may be thousands. */
async function present(ctx: Context, rows: readonly ScimGroupRow[], shown: Shown): Promise<Json[]> {
  const ids = rows.map(({ id }) => id)
  const members = shows('members', shown) ? await findMembersOf(ctx.db, ids) : undefined
  return rows.map((row) => show(presentScimGroup(row, members?.get(row.id), ctx.site.url), shown))
}

function versionOf(headers: IncomingHttpHeaders) {
  return (row: ScimGroupRow) => assertVersion(headers, row)
}
