/** The bytes of a file, as a stream, and what kind of bytes they are. */
import type { Readable } from 'node:stream'
import { findBlob, findEntry, openBlob } from '#git'
import type { Context } from '#platform/context'
import { notFound } from '#platform/problem'
import { type Code, getRevision } from '../open-code.ts'
import { normalizePath } from './read-files.ts'

export interface RawFile {
  readonly stream: Readable
  readonly headers: Readonly<Record<string, string>>
}

/** Enough to tell text from everything else. */
const SNIFFED_BYTES = 8_192

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
  }
  return { stream: blob.stream, headers }
}

const PICTURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^%PDF-/, 'application/pdf'],
]

/**
 * Invariant: nothing that somebody pushed is ever run in the name of the forge. Text stays text, whatever it is text
 * of; what is no text and no picture is for saving, not for showing; and a browser is told to believe it.
 */
function headersFor(start: Buffer, fileName: string): Record<string, string> {
  const shown = PICTURES.find(([magic]) => magic.test(start.toString('latin1', 0, 16)))?.[1]
  const type = shown ?? (isText(start) ? 'text/plain; charset=utf-8' : 'application/octet-stream')
  const disposition = type === 'application/octet-stream' ? 'attachment' : 'inline'
  return {
    'content-type': type,
    'content-disposition': `${disposition}; filename*=UTF-8''${escapeName(fileName)}`,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
}

export function escapeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function isText(start: Buffer): boolean {
  return !start.includes(0)
}
