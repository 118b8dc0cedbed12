/** Serves a blob, in full or as a range. */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { assertStored, readNamed } from '#platform/lost-object'
import { byteRangeOf, fileHeaders, type RawAnswer } from '#platform/rest'
import type { BlobRow } from '../tables.ts'
import { findBlobOwner } from './store.ts'
import { objectKey } from './take-bytes.ts'

export type Served = Pick<BlobRow, 'key' | 'bytes' | 'sha256'>

interface Asked {
  readonly ctx: Context
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly isHead: boolean
}

/** The content of a hash never changes, but access must be checked on every request. */
const CACHE = 'private, max-age=0, must-revalidate'

export async function serveBlob(
  { ctx, headers, isHead }: Asked,
  blob: Served,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { bytes } = blob
  const always = {
    ...fileHeaders(name, 'application/octet-stream', 'attachment'),
    'accept-ranges': 'bytes',
    'cache-control': CACHE,
    etag: `"${blob.sha256}"`,
    ...more,
  }
  if (headers['if-none-match'] === always.etag) return { status: 304, headers: always, body: undefined }
  const range = byteRangeOf(headers.range, bytes)
  if (range === 'none')
    return { status: 416, headers: { 'content-range': `bytes */${bytes}` }, body: undefined }
  const length = range === undefined ? bytes : range.end - range.start + 1
  const answer = {
    status: range === undefined ? 200 : 206,
    headers: {
      ...always,
      'content-length': String(length),
      ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` }),
    },
  }
  const findOwner = () => findBlobOwner(ctx.db, blob)
  if (isHead) await assertStored(ctx, objectKey(blob.key), findOwner)
  if (isHead || length === 0) return { ...answer, body: Readable.from([]) }
  const options = { signal: ctx.signal, ...(range && { range }) }
  return { ...answer, body: (await readNamed(ctx, objectKey(blob.key), findOwner, options)).body }
}
