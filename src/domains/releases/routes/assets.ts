/** The files of releases over REST, and where browsers get them. */
import { Type } from 'typebox'
import { getRepository, inRepository, openToRead, openToWrite } from '#domains/repositories'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { asSignedIn, Bytes, created, listOf, noContent, ok, type Route, routesOf } from '#platform/rest'
import type { Site } from '#platform/site'
import {
  addAsset,
  downloadAsset,
  findAssetByName,
  findAssetByUuid,
  openAsset,
  removeAsset,
  renameAsset,
} from '../assets.ts'
import { openByTag, openRelease } from '../open-release.ts'
import { EditAsset } from '../schemas.ts'
import { listAssets } from '../store.ts'
import type { AssetRow } from '../tables.ts'
import { Attachment, presentAsset, presentRelease } from '../wire.ts'

const route = routesOf({ tag: 'repository', scopes: ['repository'] })
const ReleasePath = inRepository({ id: Type.Integer() })
const AssetPath = inRepository({ id: Type.Integer(), attachment_id: Type.Integer() })
const BASE = '/repos/:owner/:repo/releases/:id/assets'

interface Visited {
  readonly ctx: Context
  readonly params: { readonly owner: string; readonly repo: string }
}
const toRead = ({ ctx, params }: Visited) => openToRead(ctx, params, 'releases')
const toWrite = async (visit: Visited) => ({
  repo: await openToWrite(visit.ctx, visit.params, 'releases'),
  actor: asSignedIn(visit),
})

/** Compat: a file by itself is shown at the address of its number, in a list at that of its release. */
const present = (asset: AssetRow, site: Site) => presentAsset(asset, `${site.url}/attachments/${asset.uuid}`)

export const assetRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: BASE,
    operationId: 'repoListReleaseAttachments',
    summary: "List a release's attachments",
    params: ReleasePath,
    answers: { 200: listOf(Attachment) },
    open: toRead,
    handle: async ({ ctx, params, opened }) => {
      const release = await openRelease(ctx, opened, params.id)
      const assets = await listAssets(ctx.db, [release.id])
      const around = { repo: opened, authors: new Map(), assets, site: ctx.site }
      return ok(presentRelease(release, around).assets)
    },
  }),
  route({
    method: 'POST',
    path: BASE,
    operationId: 'repoCreateReleaseAttachment',
    summary: 'Upload a release attachment',
    params: ReleasePath,
    query: Type.Object({ name: Type.Optional(Type.String({ maxLength: 1024 })) }),
    takesFile: true,
    answers: { 201: Attachment },
    open: async (visit) => {
      const { repo, actor } = await toWrite(visit)
      return { repo, actor, release: await openRelease(visit.ctx, repo, visit.params.id) }
    },
    handle: async ({ ctx, query, upload, opened: { repo, actor, release } }) =>
      created(present(await addAsset(ctx, repo, actor, release, upload, query.name ?? ''), ctx.site)),
  }),
  route({
    method: 'GET',
    path: `${BASE}/:attachment_id`,
    operationId: 'repoGetReleaseAttachment',
    summary: 'Get a release attachment',
    params: AssetPath,
    answers: { 200: Attachment },
    open: toRead,
    handle: async ({ ctx, params, opened }) => {
      const release = await openRelease(ctx, opened, params.id)
      return ok(present(await openAsset(ctx, release, params.attachment_id), ctx.site))
    },
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:attachment_id`,
    operationId: 'repoEditReleaseAttachment',
    summary: 'Update a release attachment',
    params: AssetPath,
    body: EditAsset,
    answers: { 201: Attachment },
    open: toWrite,
    handle: async ({ ctx, params, body, opened: { repo } }) => {
      const asset = await openAsset(ctx, await openRelease(ctx, repo, params.id), params.attachment_id)
      return created(present(await renameAsset(ctx, asset, body.name ?? asset.name), ctx.site))
    },
  }),
  route({
    method: 'DELETE',
    path: `${BASE}/:attachment_id`,
    operationId: 'repoDeleteReleaseAttachment',
    summary: 'Delete a release attachment',
    params: AssetPath,
    answers: { 204: null },
    open: toWrite,
    handle: async ({ ctx, params, opened: { repo } }) => {
      await removeAsset(
        ctx,
        await openAsset(ctx, await openRelease(ctx, repo, params.id), params.attachment_id),
      )
      return noContent()
    },
  }),
  route({
    method: 'GET',
    path: '/:owner/:repo/releases/download/:tag/:name',
    isPage: true,
    operationId: 'downloadReleaseFile',
    summary: 'Download a release attachment',
    params: inRepository({ tag: Type.String(), name: Type.String() }),
    answers: { 200: Bytes },
    open: toRead,
    handle: async ({ ctx, params, opened }) =>
      download(ctx, await findAssetByName(ctx, await openByTag(ctx, opened, params.tag), params.name)),
  }),
  route({
    method: 'GET',
    path: '/attachments/:uuid',
    isPage: true,
    operationId: 'downloadAttachment',
    summary: 'Download an attachment by UUID',
    params: Type.Object({ uuid: Type.String() }),
    answers: { 200: Bytes },
    open: async ({ ctx, params }) => {
      const asset = await findAssetByUuid(ctx, params.uuid)
      const release = asset === undefined ? undefined : await findOwner(ctx, asset)
      if (asset === undefined || release === undefined) throw notFound('attachment', params.uuid)
      const repo = await getRepository(ctx, release.repository_id)
      const readable = await openToRead(ctx, { owner: repo.owner.login, repo: repo.name }, 'releases')
      await openRelease(ctx, readable, release.id)
      return asset
    },
    handle: async ({ ctx, opened }) => download(ctx, opened),
  }),
]

async function findOwner(ctx: Context, asset: AssetRow) {
  if (asset.release_id === null) return undefined
  return ctx.db
    .selectFrom('release')
    .select(['id', 'repository_id'])
    .where('id', '=', asset.release_id)
    .executeTakeFirst()
}

/** Whatever somebody gave us, it is saved and never run by a browser. */
async function download(ctx: Context, asset: AssetRow | undefined) {
  if (asset === undefined) throw notFound('attachment', 'of that name')
  const { body, bytes } = await downloadAsset(ctx, asset)
  const name = encodeURIComponent(asset.name)
  return {
    status: 200 as const,
    body,
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes),
      'content-disposition': `attachment; filename*=UTF-8''${name}`,
    },
  }
}
