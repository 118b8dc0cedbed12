/** REST routes of release assets, and their download routes. */
import { Type } from 'typebox'
import {
  Attachment,
  EditAttachment,
  findByName,
  getAttachment,
  listAttachments,
  presentAttachment,
  serveAttachment,
  UploadQuery,
} from '#domains/code/attachments'
import { inRepository, openToRead, openToWrite } from '#domains/code/repositories'
import type { Context } from '#platform/context'
import { asSignedIn, Bytes, created, listOf, noContent, ok, type Route, routesOf } from '#platform/rest'
import { openByTag, openRelease, type Seen } from '../record/open-release.ts'
import { presentRelease } from '../record/wire.ts'
import { addAsset, removeAsset, renameAsset } from './assets.ts'

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

const ownerOf = ({ id }: Seen) => ({ kind: 'release' as const, id })

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
      const assets = await listAttachments(ctx.db, 'release', [release.id])
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
    query: UploadQuery,
    takesFile: true,
    answers: { 201: Attachment },
    open: async (visit) => {
      const { repo, actor } = await toWrite(visit)
      return { repo, actor, release: await openRelease(visit.ctx, repo, visit.params.id) }
    },
    handle: async ({ ctx, query, upload, opened: { repo, actor, release } }) => {
      const asset = await addAsset(ctx, repo, actor, release, upload, query.name ?? '')
      return created(presentAttachment(asset, ctx.site))
    },
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
      const asset = await getAttachment(ctx, ownerOf(release), params.attachment_id)
      return ok(presentAttachment(asset, ctx.site))
    },
  }),
  route({
    method: 'PATCH',
    path: `${BASE}/:attachment_id`,
    operationId: 'repoEditReleaseAttachment',
    summary: 'Update a release attachment',
    params: AssetPath,
    body: EditAttachment,
    answers: { 201: Attachment },
    open: toWrite,
    handle: async ({ ctx, params, body, opened: { repo } }) => {
      const release = await openRelease(ctx, repo, params.id)
      const asset = await renameAsset(ctx, repo, release, params.attachment_id, body.name)
      return created(presentAttachment(asset, ctx.site))
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
      await removeAsset(ctx, repo, await openRelease(ctx, repo, params.id), params.attachment_id)
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
    handle: async ({ ctx, params, opened }) => {
      const release = await openByTag(ctx, opened, params.tag)
      return serveAttachment(ctx, await findByName(ctx.db, ownerOf(release), params.name))
    },
  }),
]
