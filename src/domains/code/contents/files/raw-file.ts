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
  return serveBlob(ctx, code, await getFile(ctx, code, path, name))
}

/** Compat: in place of an LFS pointer its object, if the repository has it. */
export async function openMedia(
  ctx: Context,
  code: Code,
  path: string,
  name: string | undefined,
): Promise<RawFile> {
  const file = await getFile(ctx, code, path, name)
  const pointer = file.start.isWhole ? lfsPointerOf(file.start.data) : undefined
  const object = pointer && (await openLfsObject(ctx, code, pointer))
  if (object === undefined) return serveBlob(ctx, code, file)
  const { oid: tag, bytes, start } = object
  return { stream: object.open(), headers: headersOf(ctx, file, { tag, bytes, start }) }
}

interface File {
  readonly name: string
  readonly blobId: string
  readonly start: NonNullable<Awaited<ReturnType<typeof findBlob>>>
  /** Whether the caller named the commit itself, so that the address never gets other content. */
  readonly isFixed: boolean
}

async function getFile(ctx: Context, code: Code, path: string, name: string | undefined): Promise<File> {
  const { oid } = await getRevision(ctx, code, name)
  const clean = normalizePath(path)
  const entry = await findEntry(ctx, code.storage_id, oid, clean)
  const start =
    entry?.type === 'blob' ? await findBlob(ctx, code.storage_id, entry.oid, SNIFFED_BYTES) : undefined
  if (entry === undefined || start === undefined) throw notFound('file', path)
  return { name: clean.slice(clean.lastIndexOf('/') + 1), blobId: entry.oid, start, isFixed: name === oid }
}

async function serveBlob(ctx: Context, code: Code, file: File): Promise<RawFile> {
  const blob = await openBlob(ctx, code.storage_id, file.blobId)
  if (blob === undefined) throw notFound('file', file.name)
  const content = { tag: file.blobId, bytes: blob.size, start: file.start.data }
  return { stream: blob.stream, headers: headersOf(ctx, file, content) }
}

function headersOf(
  ctx: Context,
  { name, isFixed }: File,
  { tag, bytes, start }: { readonly tag: string; readonly bytes: number; readonly start: Buffer },
): Record<string, string> {
  return {
    ...headersFor(start, name),
    'content-length': String(bytes),
    etag: `"${tag}"`,
    ...cacheHeaders(ctx, isFixed),
  }
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
