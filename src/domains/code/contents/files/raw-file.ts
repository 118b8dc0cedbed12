/** Streams the bytes of a file with a content type. */
import type { Readable } from 'node:stream'
import { lfsPointerOf, openLfsObject } from '#domains/code/lfs'
import { findBlob, findEntry, openBlob } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { cacheHeaders, fileHeaders, pictureTypeOf } from '#platform/rest'
import { type Code, getRevision } from '../open-code.ts'
import { normalizePath } from './read-files.ts'

export interface RawFile {
  readonly stream: Readable
  readonly headers: Readonly<Record<string, string>>
}

/** Enough bytes to detect text. */
const SNIFFED_BYTES = 8_192
/** The content type of downloads. */
const SAVED = 'application/octet-stream'

export async function openRaw(
  ctx: Context,
  code: Code,
  path: string,
  name: string | undefined,
): Promise<RawFile> {
  const { oid } = await getRevision(ctx, code, name)
  const clean = normalizePath(path)
  const entry = await findEntry(ctx, code.storage_id, oid, clean)
  if (entry?.type !== 'blob') throw notFound('file', path)
  const start = await findBlob(ctx, code.storage_id, entry.oid, SNIFFED_BYTES)
  const blob = start && (await openBlob(ctx, code.storage_id, entry.oid))
  if (blob === undefined || start === undefined) throw notFound('file', path)
  const fileName = clean.slice(clean.lastIndexOf('/') + 1)
  const headers = {
    ...headersFor(start.data, fileName),
    'content-length': String(blob.size),
    etag: `"${entry.oid}"`,
    ...cacheHeaders(ctx, name === oid),
  }
  return { stream: blob.stream, headers }
}

/** Compat: in place of an LFS pointer its object, if the repository has it. */
export async function openMedia(
  ctx: Context,
  code: Code,
  path: string,
  name: string | undefined,
): Promise<RawFile> {
  const { oid } = await getRevision(ctx, code, name)
  const clean = normalizePath(path)
  const entry = await findEntry(ctx, code.storage_id, oid, clean)
  const blob =
    entry?.type === 'blob' ? await findBlob(ctx, code.storage_id, entry.oid, SNIFFED_BYTES) : undefined
  const pointer = blob?.isWhole ? lfsPointerOf(blob.data) : undefined
  const object = pointer && (await openLfsObject(ctx, code, pointer))
  if (object === undefined) return openRaw(ctx, code, path, name)
  const headers = {
    ...headersFor(object.start, clean.slice(clean.lastIndexOf('/') + 1)),
    'content-length': String(object.bytes),
    etag: `"${object.oid}"`,
    ...cacheHeaders(ctx, name === oid),
  }
  return { stream: object.open(), headers }
}

/** Any text is served as plain text; a file that is neither text nor an image is served as an attachment. */
function headersFor(start: Buffer, fileName: string): Record<string, string> {
  const type = typeOf(start)
  return fileHeaders(fileName, type, type === SAVED ? 'attachment' : 'inline')
}

function typeOf(start: Buffer): string {
  if (start.toString('latin1', 0, 5) === '%PDF-') return 'application/pdf'
  return pictureTypeOf(start) ?? (isText(start) ? 'text/plain; charset=utf-8' : SAVED)
}

function isText(start: Buffer): boolean {
  return !start.includes(0)
}
