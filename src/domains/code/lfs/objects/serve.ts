/** Serves an object, whole or from where a download broke off. */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { assertStored, readNamed } from '#platform/lost-object'
import { byteRangeOf, fileHeaders, type RawAnswer } from '#platform/rest'
import type { ObjectRow } from '../tables.ts'
import { findOwnerOf } from './store.ts'
import { lfsKey } from './take.ts'

interface Asked {
  readonly ctx: Context
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly isHead: boolean
}

/** The content never changes, but access must be checked on every request. */
const CACHE = 'private, max-age=0, must-revalidate'

export async function serveObject(
  { ctx, headers, isHead }: Asked,
  object: ObjectRow,
  name: string,
): Promise<RawAnswer> {
  const { bytes, oid } = object
  const always = {
    ...fileHeaders(name, 'application/octet-stream', 'attachment'),
    'accept-ranges': 'bytes',
    'cache-control': CACHE,
    etag: `"${oid}"`,
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
  const findOwner = () => findOwnerOf(ctx.db, object, oid)
  if (isHead) await assertStored(ctx, lfsKey(object.key), findOwner)
  if (isHead || length === 0) return { ...answer, body: Readable.from([]) }
  const options = { signal: ctx.signal, ...(range && { range }) }
  const { body } = await readNamed(ctx, lfsKey(object.key), findOwner, options)
  ctx.lfsBytes.add(length, { direction: 'download' })
  return { ...answer, body }
}
