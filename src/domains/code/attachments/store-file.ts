/** Stores an uploaded file: its bytes in the object store, its name in an `attachment` row without an owner. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asPreparation, type Context, transact } from '#platform/context'
import { invalid, Problem } from '#platform/problem'
import { pictureTypeOf, type SignedIn, type Upload } from '#platform/rest'
import { cleanName, isAllowed } from './names.ts'
import { insertAttachment, updateStored } from './store.ts'
import type { AttachmentRow } from './tables.ts'

/** Limits on attachments. */
export interface Rules {
  /** Allowed file extensions; empty allows all. */
  readonly types: readonly string[]
  readonly bytesMax: number
  /** For one release, issue or comment. */
  readonly filesMax: number
}

/** Bounded because clients list all files of an issue or comment with it. */
const FILES_MAX = 100
/** Enough bytes to detect an image type. */
const START_BYTES = 32

/** The rules for issues and comments. */
export function rulesForTexts({ config }: Context): Rules {
  const { 'attachments.types': types, 'attachments.bytes_max': bytesMax } = config
  return { types, bytesMax, filesMax: FILES_MAX }
}

/** Returns the uuid of the file. The sweep deletes it unless it is attached in time. */
export async function takeUpload(
  ctx: Context,
  uploader: SignedIn,
  upload: Upload | null,
  wanted: string,
  rules: Rules,
): Promise<string> {
  if (upload === null) throw invalid('a file is required')
  const name = cleanName(wanted || upload.name)
  if (name === '') throw new Problem('malformed', 'could not determine the name of the attachment')
  assertAllowed(name, rules)
  return storeFile(ctx, uploader, name, (file) =>
    pipeline(upload.content, (chunks) => bounded(chunks, rules.bytesMax), file, { signal: ctx.signal }),
  )
}

export function assertAllowed(name: string, { types }: Rules): void {
  if (!isAllowed(name, types)) throw invalid('file type is not allowed', { name })
}

/** Writes the content of the file and ends the stream. */
export type Fill = (file: WriteStream) => Promise<unknown>

export async function storeFile(
  ctx: Context,
  uploader: { readonly id: number },
  wanted: string,
  fill: Fill,
): Promise<string> {
  // The row comes first, so that the sweep finds the object even if this process dies.
  const uuid = randomUUID()
  const facts = { uuid, name: cleanName(wanted), uploader_id: uploader.id, created_at: ctx.now() }
  await transact(asPreparation(ctx), (ctx) => insertAttachment(ctx.db, facts))
  const stored = await keep(ctx, uuid, fill)
  await transact(asPreparation(ctx), (ctx) => updateStored(ctx.db, uuid, stored))
  return uuid
}

export function keyOf(uuid: string): string {
  return `attachments/${uuid.slice(0, 2)}/${uuid}`
}

async function* bounded(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncIterable<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Problem('too_large', 'file is too large', { bytesMax })
    yield chunk
  }
}

/** The object store needs the size up front, and clients may not send it, so the file is buffered on disk. */
async function keep(
  ctx: Context,
  uuid: string,
  fill: Fill,
): Promise<Pick<AttachmentRow, 'bytes' | 'picture_type'>> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-upload-'))
  const path = join(folder, 'file')
  const file = createWriteStream(path)
  try {
    await once(file, 'open')
    await fill(file)
    const { bytes, start } = await look(path)
    await ctx.store.create(keyOf(uuid), createReadStream(path), { bytes, signal: ctx.signal })
    return { bytes, picture_type: pictureTypeOf(start) ?? '' }
  } finally {
    file.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

async function look(path: string): Promise<{ bytes: number; start: Buffer }> {
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
  return { bytes: size, start: buffer.subarray(0, bytesRead) }
}
