/** The Python package index over HTTP, for pip and twine. */
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { Problem } from '#platform/problem'
import { type RawAnswer, type RawRoute, rawRoute, SANDBOX } from '#platform/rest'
import { openRegistry, openRegistryToWrite, type ReadablePackages } from '../../access/open-packages.ts'
import { serveBlob } from '../../blobs/serve-blob.ts'
import { giveUp } from '../../blobs/take-bytes.ts'
import { assertKeepable } from '../../kind.ts'
import { findFile } from '../../records/file-store.ts'
import { publish } from '../../records/publish.ts'
import { findPackage, findShown, isWithin } from '../../records/store.ts'
import { missing, OwnerPath, plain, registry } from '../registry-route.ts'
import { assertNames, KIND } from './names.ts'
import { type PypiForm, readForm } from './read-form.ts'
import { HTML_TYPE, indexHtml, indexJson, JSON_TYPE, projectHtml, projectJson } from './simple-index.ts'
import { listProjectFiles } from './store.ts'

const ROOT = '/api/packages/:owner/pypi'
const PROJECTS_MAX = 10_000
/** Stored form fields. */
const KEPT = [
  'summary',
  'requires_python',
  'author',
  'author_email',
  'license',
  'home_page',
  'metadata_version',
]

type In = { readonly ctx: Context; readonly params: { readonly owner: string } }
const toRead = ({ ctx, params }: In) => openRegistry(ctx, params.owner)

function addressOf(ctx: Context, { owner }: ReadablePackages, rest: string): string {
  return `${ctx.site.url}/api/packages/${encodeURIComponent(owner.login)}/pypi/${rest}`
}

export const pypiRoutes: readonly RawRoute[] = [
  rawRoute({
    ...registry,
    method: 'POST',
    path: ROOT,
    operationId: 'pypiUpload',
    params: Type.Object(OwnerPath),
    keepsStream: true,
    open: ({ ctx, params }) => openRegistryToWrite(ctx, params.owner),
    handle: async ({ ctx, headers, stream, opened }) => {
      const form = await readForm(ctx, headers, stream)
      const publication = await announced(ctx, form)
      await publish(ctx, opened, form.file.stored, publication)
      return plain(201)
    },
  }),
  rawRoute({
    ...registry,
    method: 'GET',
    path: `${ROOT}/simple`,
    operationId: 'pypiIndex',
    params: Type.Object(OwnerPath),
    open: toRead,
    handle: async ({ ctx, headers, opened }) => {
      const rows = await ctx.db
        .selectFrom('package')
        .select('name_key')
        .where('type', '=', KIND.type)
        .where(isWithin(opened))
        .orderBy('name_key')
        .limit(PROJECTS_MAX)
        .execute()
      const keys = rows.map(({ name_key }) => name_key)
      return index(headers.accept, indexJson(keys), indexHtml(keys, addressOf(ctx, opened, 'simple')))
    },
  }),
  rawRoute({
    ...registry,
    method: 'GET',
    path: `${ROOT}/simple/:name`,
    operationId: 'pypiProject',
    params: Type.Object({ ...OwnerPath, name: Type.String() }),
    open: toRead,
    handle: async ({ ctx, params, headers, opened }) => {
      const pkg = await findPackage(ctx.db, opened, KIND, params.name)
      const files = pkg === undefined ? [] : await listProjectFiles(ctx.db, pkg.id)
      if (pkg === undefined || files.length === 0) throw missing('package')
      const address = addressOf(ctx, opened, `files/${encodeURIComponent(pkg.name_key)}`)
      return index(
        headers.accept,
        projectJson(pkg.name_key, files, address),
        projectHtml(pkg.name, files, address),
      )
    },
  }),
  rawRoute({
    ...registry,
    method: 'GET',
    path: `${ROOT}/files/:name/:version/:file`,
    operationId: 'pypiGetFile',
    params: Type.Object({ ...OwnerPath, name: Type.String(), version: Type.String(), file: Type.String() }),
    open: toRead,
    handle: async (visit) => {
      const { ctx, params, opened } = visit
      const pkg = await findPackage(ctx.db, opened, KIND, params.name)
      const version = pkg && (await findShown(ctx.db, pkg.id, KIND.keyOfVersion(params.version)))
      const file = version && (await findFile(ctx.db, version.id, params.file))
      if (file === undefined) throw missing('package file')
      return serveBlob(visit, file, file.name)
    },
  }),
]

/** The form is complete only after the file is stored; if its fields are not valid, the file is discarded. */
async function announced(ctx: Context, { fields, file }: PypiForm) {
  const { name: fileName, stored } = file
  try {
    const name = fields.get('name') ?? ''
    const version = fields.get('version') ?? ''
    assertNames(name, version, fileName)
    for (const hash of ['sha256', 'md5'] as const)
      if ((fields.get(`${hash}_digest`) ?? stored[hash]).toLowerCase() !== stored[hash])
        throw new Problem('malformed', 'file does not match its digest')
    const metadata = Object.fromEntries(
      KEPT.flatMap((key) => (fields.has(key) ? [[key, fields.get(key)]] : [])),
    )
    assertKeepable(metadata)
    return { kind: KIND, name, version, metadata, file: fileName }
  } catch (error) {
    await giveUp(ctx, [stored.key])
    throw error
  }
}

function index(accept: string | undefined, json: object, html: string): RawAnswer {
  const headers = { vary: 'accept', 'content-security-policy': SANDBOX }
  const isJson = accept?.includes(JSON_TYPE) === true
  return isJson
    ? {
        status: 200,
        headers: { ...headers, 'content-type': JSON_TYPE },
        body: Buffer.from(JSON.stringify(json)),
      }
    : { status: 200, headers: { ...headers, 'content-type': HTML_TYPE }, body: html }
}
