/**
 * Reads and serves objects that a row names. If the store lacks one of these, its bytes are lost: only a backup has them.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import type { ReadOptions, StoredObject } from '#platform/object-store'
import { notFound, Problem } from '#platform/problem'
import { byteRangeOf, fileHeaders, type RawAnswer } from '#platform/rest'

/** An object whose content never changes, and its SHA-256 in hexadecimal. */
export interface NamedObject {
  readonly key: string
  readonly bytes: number
  readonly sha256: string
  /** As for `readNamed`. */
  readonly findOwner: () => Promise<string | undefined>
}

interface Asked {
  readonly ctx: Context
  readonly headers: Readonly<IncomingHttpHeaders>
  readonly isHead: boolean
}

/** The content of a digest never changes, but access must be checked on every request. */
const CACHE = 'private, max-age=0, must-revalidate'

/** The whole object or a range of it, as a download with this file name; `more` replaces headers. */
export async function serveNamed(
  { ctx, headers, isHead }: Asked,
  { key, bytes, sha256, findOwner }: NamedObject,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const always = {
    ...fileHeaders(name, 'application/octet-stream', 'attachment'),
    'accept-ranges': 'bytes',
    'cache-control': CACHE,
    etag: `"${sha256}"`,
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
  if (isHead) await assertStored(ctx, key, findOwner)
  if (isHead || length === 0) return { ...answer, body: Readable.from([]) }
  const options = { signal: ctx.signal, ...(range && { range }) }
  return { ...answer, body: (await readNamed(ctx, key, findOwner, options)).body }
}

/**
 * `findOwner` reads the row again: what the object belongs to, for the log; undefined if no row names the object any more,
 * because it was deleted or replaced a moment ago. Then the Problem stays 'not_found'.
 */
export async function readNamed(
  ctx: Context,
  key: string,
  findOwner: () => Promise<string | undefined>,
  options: ReadOptions = {},
): Promise<StoredObject> {
  try {
    return await ctx.store.read(key, options)
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'not_found')) throw error
    throw (await findLoss(ctx, key, findOwner)) ?? error
  }
}

/** For an answer without the bytes, which must fail as one with them does. */
async function assertStored(
  ctx: Context,
  key: string,
  findOwner: () => Promise<string | undefined>,
): Promise<void> {
  if ((await ctx.store.stat(key)) !== undefined) return
  throw (await findLoss(ctx, key, findOwner)) ?? notFound('object', key)
}

async function findLoss(
  ctx: Context,
  key: string,
  findOwner: () => Promise<string | undefined>,
): Promise<Problem | undefined> {
  const owner = await findOwner()
  if (owner === undefined) return undefined
  // Logged here and not by its handlers, because a loss must be seen no matter who notices it.
  ctx.log.error({ 'object.key': key, 'object.owner': owner }, 'stored object is missing')
  ctx.telemetry.lostObjects.add(1)
  return new Problem('lost', 'stored object is missing: an administrator must restore it from a backup')
}
