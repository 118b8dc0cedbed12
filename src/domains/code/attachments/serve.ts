/** Download routes of attachments. */
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Context } from '#platform/context'
import { readNamed } from '#platform/lost-object'
import { notFound } from '#platform/problem'
import { type Answer, Bytes, fileHeaders, type Route, route } from '#platform/rest'
import type { AttachableKind } from '#slices'
import { COLUMNS, countDownload, findByUuid } from './store.ts'
import { keyOf } from './store-file.ts'
import type { AttachmentRow } from './tables.ts'

export const servingRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/attachments/:uuid',
    isPage: true,
    operationId: 'downloadAttachment',
    tag: 'repository',
    scopes: ['repository'],
    summary: 'Download an attachment by UUID',
    params: Type.Object({ uuid: Type.String() }),
    answers: { 200: Bytes },
    open: async ({ ctx, params }) => {
      const attachment = await findByUuid(ctx.db, params.uuid)
      const owner = attachment && ownerOf(attachment)
      const attachable = owner && ctx.attachables.get(owner.kind)
      if (owner === undefined || attachable === undefined) throw notFound('attachment', params.uuid)
      await attachable.open(ctx, owner.id)
      return attachment
    },
    handle: async ({ ctx, opened }) => serveAttachment(ctx, opened),
  }),
]

/** For callers who may read the owner. Images are served inline, everything else as a download. */
export async function serveAttachment(
  ctx: Context,
  attachment: AttachmentRow | undefined,
): Promise<Answer<200, Readable>> {
  if (attachment === undefined) throw notFound('attachment', 'of that name')
  const { id, uuid, name, picture_type } = attachment
  const findOwner = async () => describe(await findByUuid(ctx.db, uuid))
  const { body, bytes } = await readNamed(ctx, keyOf(uuid), findOwner, { signal: ctx.signal })
  await countDownload(ctx.db, id)
  const type = picture_type || 'application/octet-stream'
  const disposition = picture_type === '' ? 'attachment' : 'inline'
  return {
    status: 200,
    body,
    headers: { ...fileHeaders(name, type, disposition), 'content-length': String(bytes) },
  }
}

/** For operators, who know an attachment by its name and by what it is attached to. */
function describe(row: AttachmentRow | undefined): string | undefined {
  const owner = row && ownerOf(row)
  return owner && `attachment ${row.name} of ${owner.kind} ${owner.id}`
}

function ownerOf(row: AttachmentRow): { kind: AttachableKind; id: number } | undefined {
  for (const kind of ['release', 'issue', 'comment'] as const) {
    const id = row[COLUMNS[kind]]
    if (id !== null) return { kind, id }
  }
  return undefined
}
