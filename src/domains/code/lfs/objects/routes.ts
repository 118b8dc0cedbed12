/** Routes of objects: batch, upload, download, verify. */
import { Type } from 'typebox'
import { invalid, notFound } from '#platform/problem'
import { type RawRoute, rawRoute } from '#platform/rest'
import { openToDownload, openToUpload, pathOf, writing } from '../access/open-lfs.ts'
import { inLfs, lfsFacts, ROOT } from '../access/route-facts.ts'
import { isOid, json, type Pointer, pointerOf, readJson } from '../wire.ts'
import { decideDownloads, decideUploads, readBatch } from './batch.ts'
import { acceptUpload, directDownloads, orderUploads } from './direct.ts'
import { renewLinked } from './link.ts'
import { presentBatch } from './present-batch.ts'
import { serveObject } from './serve.ts'
import { findLinked, findLinkedOne } from './store.ts'
import { takeObject } from './take.ts'

const NAME_MAX = 255

const batch = rawRoute({
  ...lfsFacts,
  method: 'POST',
  path: `${ROOT}/objects/batch`,
  operationId: 'lfsBatch',
  params: inLfs({}),
  // An upload checks the scope for writing when its body is read.
  onlyReads: true,
  open: ({ ctx, params, bearer }) => openToDownload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, params, headers, bearer, body, opened, assertMayWrite }) => {
    const request = readBatch(readJson(body))
    const path = pathOf(params)
    const place = {
      root: `${ctx.site.url}/${path.owner}/${path.repo}.git/info/lfs`,
      authorization: headers.authorization,
    }
    if (request.operation === 'download') {
      const decisions = await decideDownloads(ctx, opened, request)
      const objects = decisions.flatMap((it) => ('object' in it ? [it.object] : []))
      return presentBatch(decisions, { ...place, downloads: await directDownloads(ctx, objects) })
    }
    assertMayWrite()
    const mine = writing(ctx, path, bearer)
    const writable = await openToUpload(mine, path, bearer)
    const decisions = await decideUploads(mine, writable, request)
    const pointers = decisions.flatMap((it) => ('action' in it && it.action === 'upload' ? [it.pointer] : []))
    return presentBatch(decisions, { ...place, uploads: await orderUploads(mine, writable, pointers) })
  },
})

const upload = rawRoute({
  ...lfsFacts,
  method: 'PUT',
  path: `${ROOT}/objects/:oid/:size`,
  operationId: 'lfsUpload',
  params: inLfs({ oid: Type.String(), size: Type.String() }),
  keepsStream: true,
  open: ({ ctx, params, bearer }) => openToUpload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, params, headers, stream, opened }) => {
    const pointer = readPointer(params.oid, params.size)
    const announced = headers['content-length']
    if (announced !== undefined && Number(announced) !== pointer.size)
      throw invalid(`object is not ${pointer.size} bytes long`)
    await takeObject(ctx, opened, pointer, stream)
    return json(200, {})
  },
})

/** Compat: Gitea also serves objects under a file name of the client's choice. */
const downloads = ['', '/:filename'].map((name) =>
  rawRoute({
    ...lfsFacts,
    method: 'GET',
    path: `${ROOT}/objects/:oid${name}`,
    operationId: name === '' ? 'lfsDownload' : 'lfsDownloadAs',
    params: inLfs({ oid: Type.String(), filename: Type.Optional(Type.String()) }),
    open: ({ ctx, params, bearer }) => openToDownload(ctx, pathOf(params), bearer),
    handle: async ({ ctx, params: { oid, filename }, headers, isHead, opened }) => {
      const object = isOid(oid) ? await findLinkedOne(ctx.db, opened.repo.storage_id, oid) : undefined
      if (object === undefined) throw notFound('object', oid)
      return serveObject({ ctx, headers, isHead }, object, filename?.slice(0, NAME_MAX) ?? oid)
    },
  }),
)

/** Only bytes that were linked to this repository exist for it. */
const verify = rawRoute({
  ...lfsFacts,
  method: 'POST',
  path: `${ROOT}/verify`,
  operationId: 'lfsVerify',
  params: inLfs({}),
  query: Type.Object({ upload: Type.Optional(Type.String()) }),
  open: ({ ctx, params, bearer }) => openToUpload(ctx, pathOf(params), bearer),
  handle: async ({ ctx, query: { upload: ticket }, body, opened }) => {
    const pointer = pointerOf(readJson(body))
    if (pointer === undefined) throw invalid('invalid oid or size')
    const found = await findLinked(ctx.db, opened.repo.storage_id, [pointer.oid])
    const [object] = await renewLinked(ctx, opened.repo, found)
    if (object === undefined && ticket !== undefined) {
      await acceptUpload(ctx, opened, pointer, ticket)
      return json(200, {})
    }
    if (object === undefined) throw notFound('object', pointer.oid)
    if (object.bytes !== pointer.size) throw invalid(`object is not ${pointer.size} bytes long`)
    return json(200, {})
  },
})

export const objectRoutes: readonly RawRoute[] = [batch, upload, ...downloads, verify]

function readPointer(oid: string, size: string): Pointer {
  const pointer = pointerOf({ oid, size: /^\d{1,16}$/.test(size) ? Number(size) : undefined })
  if (pointer === undefined) throw invalid('invalid oid or size')
  return pointer
}
