/** The operations of one type of resource, such as `scimListUsers` and `scimPatchGroup` (RFC 7644, section 3.2). */
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import type { RawAnswer, RawRoute } from '#platform/rest'
import { openSource, type Provisioned } from '../open.ts'
import { type Operation, readOperations } from '../patch/operations.ts'
import type { ScimClient } from '../tokens/tokens.ts'
import { listOf, nothing, resource, show } from './answers.ts'
import { scimRoute } from './endpoint.ts'
import { locationOf, type ResourceType, type StoredResource } from './meta.ts'
import { BASE } from './names.ts'
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
  UUID,
  wishOf,
} from './requests.ts'

/** A check of the version that the client has read, on the row as it is locked. */
export type AssertVersion = (row: StoredResource) => void

export interface Resource<Row extends StoredResource, Sent> {
  readonly type: ResourceType
  /** Undefined: the source has none with this id. */
  readonly find: (ctx: Context, source: Provisioned, id: string) => Promise<Found<Row> | undefined>
  readonly read: (body: Json) => Sent
  readonly list: (
    ctx: Context,
    source: Provisioned,
    wish: ListWish,
  ) => Promise<{ readonly items: readonly Row[]; readonly total: number }>
  readonly present: (
    ctx: Context,
    source: Provisioned,
    rows: readonly Row[],
    shown: Shown,
  ) => Promise<readonly Json[]>
  readonly create: (ctx: Context, source: Provisioned, sent: Sent) => Promise<Row>
  readonly replace: Change<Row, Sent>
  readonly patch: Change<Row, readonly Operation[]>
  readonly remove: (ctx: Context, source: Provisioned, row: Row, assert: AssertVersion) => Promise<void>
}

interface Found<Row> {
  readonly row: Row
  /** The account of a user, for the audit record. */
  readonly person?: { readonly id: number; readonly login: string }
}

type Change<Row, Wish> = (
  ctx: Context,
  source: Provisioned,
  row: Row,
  wish: Wish,
  assert: AssertVersion,
) => Promise<Row>

const ResourcePath = Type.Object({ id: Type.String() })

export function resourceRoutes<Row extends StoredResource, Sent>(
  kind: Resource<Row, Sent>,
): readonly RawRoute[] {
  return [...collectionRoutes(kind), ...memberRoutes(kind)]
}

function collectionRoutes<Row extends StoredResource, Sent>(kind: Resource<Row, Sent>): RawRoute[] {
  const { type } = kind
  const path = `${BASE}/${type}s`
  return [
    scimRoute({
      method: 'GET',
      path,
      operationId: `scimList${type}s`,
      query: ListParams,
      open: openSource,
      handle: ({ ctx, opened, query }) => list(kind, ctx, opened, wishOf(query)),
    }),
    scimRoute({
      method: 'POST',
      path: `${path}/.search`,
      operationId: `scimSearch${type}s`,
      onlyReads: true,
      open: openSource,
      handle: ({ ctx, opened, body }) => list(kind, ctx, opened, wishOf(paramsOfSearch(readJson(body)))),
    }),
    scimRoute({
      method: 'POST',
      path,
      operationId: `scimCreate${type}`,
      query: ShownParams,
      open: openSource,
      handle: async ({ ctx, opened, body, query }) => {
        const row = await kind.create(ctx, opened, kind.read(readJson(body)))
        return answer(kind, ctx, { source: opened, row }, shownOf(query), 201)
      },
    }),
  ]
}

function memberRoutes<Row extends StoredResource, Sent>(kind: Resource<Row, Sent>): RawRoute[] {
  const { type } = kind
  const one = { path: `${BASE}/${type}s/:id`, params: ResourcePath, open: opener(kind) }
  return [
    scimRoute({
      ...one,
      method: 'GET',
      operationId: `scimGet${type}`,
      query: ShownParams,
      handle: async ({ ctx, opened, query, headers }) => {
        const tag = headers['if-none-match']
        const etag = etagOf(opened.row)
        if (tag !== undefined && matchesTag(tag, opened.row)) return nothing(304, { etag })
        return answer(kind, ctx, opened, shownOf(query))
      },
    }),
    scimRoute({
      ...one,
      method: 'PUT',
      operationId: `scimReplace${type}`,
      query: ShownParams,
      handle: async ({ ctx, opened: { source, row }, body, query, headers }) => {
        const sent = kind.read(readJson(body))
        const changed = await kind.replace(ctx, source, row, sent, versionOf(headers))
        return answer(kind, ctx, { source, row: changed }, shownOf(query))
      },
    }),
    scimRoute({
      ...one,
      method: 'PATCH',
      operationId: `scimPatch${type}`,
      query: ShownParams,
      handle: async ({ ctx, opened: { source, row }, body, query, headers }) => {
        const operations = readOperations(readJson(body))
        const changed = await kind.patch(ctx, source, row, operations, versionOf(headers))
        return answer(kind, ctx, { source, row: changed }, shownOf(query))
      },
    }),
    scimRoute({
      ...one,
      method: 'DELETE',
      operationId: `scimDelete${type}`,
      handle: async ({ ctx, opened: { source, row }, headers }) => {
        await kind.remove(ctx, source, row, versionOf(headers))
        return nothing()
      },
    }),
  ]
}

interface OpenedResource<Row> extends Found<Row> {
  readonly source: Provisioned
}

/** Only resources of the client's own source. */
function opener<Row extends StoredResource, Sent>({ type, find }: Resource<Row, Sent>) {
  return async (visit: {
    readonly ctx: Context
    readonly bearer: ScimClient | null
    readonly params: { readonly id: string }
  }): Promise<OpenedResource<Row>> => {
    const source = await openSource(visit)
    const id = visit.params.id.toLowerCase()
    const found = UUID.test(id) ? await find(visit.ctx, source, id) : undefined
    if (found === undefined) throw notFound(type.toLowerCase(), visit.params.id)
    return { source, ...found }
  }
}

async function list<Row extends StoredResource, Sent>(
  kind: Resource<Row, Sent>,
  ctx: Context,
  source: Provisioned,
  wish: ListWish,
): Promise<RawAnswer> {
  const { items, total } = await kind.list(ctx, source, wish)
  const bodies = await kind.present(ctx, source, items, wish.shown)
  const shown = bodies.map((body) => show(body, wish.shown))
  return listOf(shown, total, wish.startIndex)
}

async function answer<Row extends StoredResource, Sent>(
  kind: Resource<Row, Sent>,
  ctx: Context,
  { source, row }: OpenedResource<Row>,
  shown: Shown,
  status = 200,
): Promise<RawAnswer> {
  const [body = {}] = await kind.present(ctx, source, [row], shown)
  const headers = { etag: etagOf(row), location: locationOf(kind.type, row.id, ctx.site.url) }
  return resource(show(body, shown), { status, headers })
}

function versionOf(headers: IncomingHttpHeaders): AssertVersion {
  return (row) => assertVersion(headers, row)
}
