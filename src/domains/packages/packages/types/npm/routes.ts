/** The npm registry over HTTP. */
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import type { Problem } from '#platform/problem'
import { asSignedIn, type RawAnswer, type RawRoute, rawRoute } from '#platform/rest'
import { openRegistry, openRegistryToWrite, type ReadablePackages } from '../../access/open-packages.ts'
import { serveBlob } from '../../blobs/serve-blob.ts'
import { findFile, listVersionFiles } from '../../records/file-store.ts'
import { findPackage, findShown } from '../../records/store.ts'
import type { PackageRow } from '../../tables.ts'
import { BASIC, json, missing, OwnerPath } from '../registry-route.ts'
import { liveTags, searchResultOf, writeDocument } from './document.ts'
import { KIND } from './names.ts'
import { searchPackages } from './store.ts'
import { changeDocument, publishDocument, setTag, unpublish, unpublishVersion, unsetTag } from './write.ts'

const ROOT = '/api/packages/:owner/npm'
const SEARCH_MAX = 250

const npm = {
  scopes: ['package'],
  challenge: BASIC,
  tellFailure: ({ message }: Problem): Pick<RawAnswer, 'headers' | 'body'> => ({
    headers: { 'content-type': 'application/json;charset=utf-8' },
    body: JSON.stringify({ error: message }),
  }),
}

interface NamePath {
  readonly owner: string
  readonly scope?: string
  readonly name: string
}
type In = { readonly ctx: Context; readonly params: { readonly owner: string } }

const toRead = ({ ctx, params }: In) => openRegistry(ctx, params.owner)
const toWrite = ({ ctx, params }: In) => openRegistryToWrite(ctx, params.owner)

/** The scope is part of the name; clients send its slash escaped or not. */
const FORMS = [
  { form: ':name', suffix: '' },
  { form: ':scope/:name', suffix: 'Scoped' },
]
const NameParams = { ...OwnerPath, scope: Type.Optional(Type.String()), name: Type.String() }
const FileParams = Type.Object({ ...NameParams, version: Type.String(), file: Type.String() })

function nameOf({ scope, name }: NamePath): string {
  if (scope !== undefined && !scope.startsWith('@')) throw missing('package')
  return scope === undefined ? name : `${scope}/${name}`
}

async function getPackage(ctx: Context, packages: ReadablePackages, name: string): Promise<PackageRow> {
  const pkg = await findPackage(ctx.db, packages, KIND, name)
  if (pkg === undefined) throw missing('package')
  return pkg
}

const documentRoutes = FORMS.flatMap(({ form, suffix }): RawRoute[] => [
  rawRoute({
    ...npm,
    method: 'GET',
    path: `${ROOT}/${form}`,
    operationId: `npmGetPackage${suffix}`,
    params: Type.Object({ ...NameParams }),
    open: toRead,
    handle: async ({ ctx, params, opened }) => {
      const pkg = await getPackage(ctx, opened, nameOf(params))
      const files = await listVersionFiles(ctx.db, pkg.id)
      if (files.length === 0) throw missing('package')
      const headers = { 'content-type': 'application/json;charset=utf-8' }
      const body = Readable.from(writeDocument(ctx, pkg, files, opened.owner.login))
      return { status: 200, headers, body }
    },
  }),
  rawRoute({
    ...npm,
    method: 'PUT',
    path: `${ROOT}/${form}`,
    operationId: `npmPublish${suffix}`,
    params: Type.Object({ ...NameParams }),
    keepsStream: true,
    open: toWrite,
    handle: async ({ ctx, params, stream, opened }) => {
      await publishDocument(ctx, opened, nameOf(params), stream)
      return json(201, { ok: true })
    },
  }),
  rawRoute({
    ...npm,
    method: 'PUT',
    path: `${ROOT}/${form}/-rev/:rev`,
    operationId: `npmChangeDocument${suffix}`,
    params: Type.Object({ ...NameParams, rev: Type.String() }),
    keepsStream: true,
    open: toWrite,
    handle: async ({ ctx, params, stream, opened }) => {
      await changeDocument(ctx, opened, nameOf(params), params.rev, stream)
      return json(201, { ok: true })
    },
  }),
  rawRoute({
    ...npm,
    method: 'DELETE',
    path: `${ROOT}/${form}/-rev/:rev`,
    operationId: `npmUnpublish${suffix}`,
    params: Type.Object({ ...NameParams, rev: Type.String() }),
    open: toWrite,
    handle: async ({ ctx, params, opened }) => {
      await unpublish(ctx, opened, nameOf(params))
      return json(200, { ok: true })
    },
  }),
])

const fileRoutes = FORMS.flatMap(({ form, suffix }): RawRoute[] => [
  rawRoute({
    ...npm,
    method: 'GET',
    path: `${ROOT}/${form}/-/:version/:file`,
    operationId: `npmGetFile${suffix}`,
    params: FileParams,
    open: toRead,
    handle: async (visit) => {
      const { ctx, params, opened } = visit
      const pkg = await getPackage(ctx, opened, nameOf(params))
      const version = await findShown(ctx.db, pkg.id, KIND.keyOfVersion(params.version))
      const file = version && (await findFile(ctx.db, version.id, params.file))
      if (file === undefined) throw missing('package file')
      return serveBlob(visit, file, file.name)
    },
  }),
  rawRoute({
    ...npm,
    method: 'DELETE',
    path: `${ROOT}/${form}/-/:version/:file/-rev/:rev`,
    operationId: `npmDeleteFile${suffix}`,
    params: Type.Object({ ...FileParams.properties, rev: Type.String() }),
    open: toWrite,
    handle: async ({ ctx, params, opened }) => {
      await unpublishVersion(ctx, opened, nameOf(params), params.version)
      return json(200, { ok: true })
    },
  }),
])

const tagRoutes = FORMS.flatMap(({ form, suffix }): RawRoute[] => [
  rawRoute({
    ...npm,
    method: 'GET',
    path: `${ROOT}/-/package/${form}/dist-tags`,
    operationId: `npmListTags${suffix}`,
    params: Type.Object({ ...NameParams }),
    open: toRead,
    handle: async ({ ctx, params, opened }) => {
      const pkg = await getPackage(ctx, opened, nameOf(params))
      return json(200, liveTags(pkg, await listVersionFiles(ctx.db, pkg.id)))
    },
  }),
  rawRoute({
    ...npm,
    method: 'PUT',
    path: `${ROOT}/-/package/${form}/dist-tags/:tag`,
    operationId: `npmSetTag${suffix}`,
    params: Type.Object({ ...NameParams, tag: Type.String() }),
    open: toWrite,
    handle: async ({ ctx, params, body, opened }) => {
      await setTag(ctx, opened, nameOf(params), params.tag, body.toString('utf8'))
      return json(200, { ok: true })
    },
  }),
  rawRoute({
    ...npm,
    method: 'DELETE',
    path: `${ROOT}/-/package/${form}/dist-tags/:tag`,
    operationId: `npmUnsetTag${suffix}`,
    params: Type.Object({ ...NameParams, tag: Type.String() }),
    open: toWrite,
    handle: async ({ ctx, params, opened }) => {
      await unsetTag(ctx, opened, nameOf(params), params.tag)
      return json(200, { ok: true })
    },
  }),
])

export const npmRoutes: readonly RawRoute[] = [
  ...documentRoutes,
  ...fileRoutes,
  ...tagRoutes,
  rawRoute({
    ...npm,
    method: 'GET',
    path: `${ROOT}/-/v1/search`,
    operationId: 'npmSearch',
    params: Type.Object(OwnerPath),
    query: Type.Object({
      text: Type.Optional(Type.String()),
      size: Type.Optional(Type.Integer()),
      from: Type.Optional(Type.Integer()),
    }),
    open: toRead,
    handle: async ({ ctx, query, opened }) => {
      const limit = Math.min(Math.max(query.size ?? 20, 1), SEARCH_MAX)
      const offset = Math.min(Math.max(query.from ?? 0, 0), 1_000_000)
      const text = (query.text ?? '').slice(0, 214)
      const { items, total } = await searchPackages(ctx.db, opened, text, { limit, offset })
      const place = { site: ctx.site, owner: opened.owner.login }
      return json(200, { objects: items.map((it) => searchResultOf(it, place)), total, time: ctx.now() })
    },
  }),
  rawRoute({
    ...npm,
    method: 'GET',
    path: `${ROOT}/-/whoami`,
    operationId: 'npmWhoami',
    params: Type.Object(OwnerPath),
    open: asSignedIn,
    handle: async ({ opened }) => json(200, { username: opened.login }),
  }),
  rawRoute({
    ...npm,
    method: 'GET',
    path: `${ROOT}/-/ping`,
    operationId: 'npmPing',
    params: Type.Object(OwnerPath),
    open: toRead,
    handle: async () => json(200, {}),
  }),
]
