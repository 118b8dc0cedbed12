/** Blob uploads of the OCI distribution specification: monolithic, chunked, or mounted from another image. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Context, transact } from '#platform/context'
import { Problem } from '#platform/problem'
import type { RawAnswer } from '#platform/rest'
import { openRegistry, type WritablePackages } from '../../access/open-packages.ts'
import { adopt } from '../../blobs/adopt.ts'
import { takeBytes, withStored } from '../../blobs/take-bytes.ts'
import type { UploadRow } from '../../tables.ts'
import { append, cancelUpload, finishUpload, getUpload, startUpload } from '../../uploads/uploads.ts'
import { type Address, assertDigest, isDigest, KIND, readDigest } from './names.ts'
import { answer } from './registry.ts'
import { addContent, mount } from './write.ts'

type Place = Pick<Address, 'owner' | 'image'>

interface Wish {
  readonly digest?: string
  readonly mount?: string
  readonly from?: string
}

export async function beginUpload(
  ctx: Context,
  packages: WritablePackages,
  place: Place,
  wish: Wish,
  stream: Readable | null,
): Promise<RawAnswer> {
  const { image } = place
  if (wish.mount !== undefined && (await mountFrom(ctx, packages, image, wish)))
    return stored(place, wish.mount)
  if (wish.digest !== undefined) {
    const digest = readDigest(wish.digest)
    const taken = await takeBytes(ctx, stream, assertDigest(digest))
    await withStored(ctx, taken, (compared) =>
      transact(ctx, (ctx) => addContent(ctx, packages, image, (ctx) => adopt(ctx, compared))),
    )
    return stored(place, digest)
  }
  return tell(place, await startUpload(ctx, packages, KIND.keyOfName(image)), 202)
}

/** A caller who may not read the source has to upload the content. */
async function mountFrom(
  ctx: Context,
  packages: WritablePackages,
  image: string,
  { mount: digest = '', from = '' }: Wish,
): Promise<boolean> {
  const [, owner, source] = /^([^/]+)\/(.+)$/.exec(from) ?? []
  if (owner === undefined || source === undefined || !isDigest(digest)) return false
  const readable = await openRegistry(ctx, owner).catch(() => undefined)
  if (readable === undefined) return false
  return mount(ctx, packages, image, { packages: readable, image: source, digest })
}

export async function tellUpload(
  ctx: Context,
  packages: WritablePackages,
  place: Place,
  id: string,
): Promise<RawAnswer> {
  return tell(place, await getUpload(ctx, packages, KIND.keyOfName(place.image), id), 204)
}

export async function extendUpload(
  ctx: Context,
  packages: WritablePackages,
  place: Place,
  id: string,
  headers: IncomingHttpHeaders,
  stream: Readable | null,
): Promise<RawAnswer> {
  const upload = await getUpload(ctx, packages, KIND.keyOfName(place.image), id)
  const extended = isNext(headers, upload) ? await append(ctx, upload, stream) : undefined
  return extended === undefined ? outOfOrder(place, upload) : tell(place, extended, 202)
}

/** With or without a last chunk. */
export async function endUpload(
  ctx: Context,
  packages: WritablePackages,
  place: Place,
  id: string,
  wanted: string,
  headers: IncomingHttpHeaders,
  stream: Readable | null,
): Promise<RawAnswer> {
  const digest = readDigest(wanted)
  const upload = await getUpload(ctx, packages, KIND.keyOfName(place.image), id)
  if (!isNext(headers, upload)) return outOfOrder(place, upload)
  const whole = stream === null ? upload : await append(ctx, upload, stream)
  if (whole === undefined) return outOfOrder(place, upload)
  await finishUpload(ctx, whole, assertDigest(digest), (ctx, bytes) =>
    addContent(ctx, packages, place.image, (ctx) => adopt(ctx, bytes)),
  )
  return stored(place, digest)
}

export async function dropUpload(
  ctx: Context,
  packages: WritablePackages,
  place: Place,
  id: string,
): Promise<RawAnswer> {
  await cancelUpload(ctx, await getUpload(ctx, packages, KIND.keyOfName(place.image), id))
  return answer(204, {})
}

/** Whether a chunk begins where the last one ended; without `Content-Range` chunks are sequential. */
function isNext(headers: IncomingHttpHeaders, { bytes }: UploadRow): boolean {
  const range = headers['content-range']
  if (range === undefined) return true
  const [, start] = /^(?:bytes[ =])?(\d{1,16})-\d{1,16}(?:\/.*)?$/.exec(range) ?? []
  if (start === undefined)
    throw new Problem('malformed', 'invalid content range', { code: 'BLOB_UPLOAD_INVALID' })
  return Number(start) === bytes
}

function stored({ owner, image }: Place, digest: string): RawAnswer {
  const location = `/v2/${owner}/${image}/blobs/${digest}`
  return answer(201, { location, 'docker-content-digest': digest })
}

function tell({ owner, image }: Place, { id, bytes }: UploadRow, status: number): RawAnswer {
  const location = `/v2/${owner}/${image}/blobs/uploads/${id}`
  return answer(status, { location, range: `0-${Math.max(0, bytes - 1)}`, 'docker-upload-uuid': id })
}

function outOfOrder(place: Place, upload: UploadRow): RawAnswer {
  return tell(place, upload, 416)
}
