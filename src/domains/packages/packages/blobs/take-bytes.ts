/** Receives bytes into the object store: limited, hashed, and stored before a row refers to them. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { asPreparation, type Context, transact } from '#platform/context'
import { discardObjects } from '#platform/discard'
import { readNamed } from '#platform/lost-object'
import { Problem } from '#platform/problem'
import type { BlobRow, Hashes, ObjectRow } from '../tables.ts'
import { deleteObjects, findBlob, findUploadOf, insertObject } from './store.ts'

/** An object in the store that is swept unless it becomes a blob soon. */
export type Stored = Pick<ObjectRow, 'key' | 'bytes' | keyof Hashes>

/** `equal`: the key of a blob with equal content, and whether its object was seen in the store just now. */
export interface Compared extends Stored {
  readonly equal: { readonly key: string; readonly hasBytes: boolean } | undefined
}

/** A blob with equal content appeared after the comparison. */
export class NotCompared extends Problem {
  constructor() {
    super('unavailable', 'content was stored concurrently, please try again')
  }
}

const COMPARED_MAX = 4

/** Throws if the bytes differ from what was announced; then nothing is stored. */
type Check = (taken: Omit<Stored, 'key'>) => void

export function objectKey(key: string): string {
  return `packages/${key.slice(0, 2)}/${key}`
}

/**
 * The object store needs the length in advance, which a client may not send: bytes are buffered on disk, never in
 * memory.
 */
export async function takeBytes(
  ctx: Context,
  source: Readable | Buffer | null,
  check: Check = () => undefined,
): Promise<Stored> {
  const folder = await mkdtemp(join(tmpdir(), 'bloomery-package-'))
  const path = join(folder, 'file')
  try {
    const chunks = source instanceof Readable ? readChunks(source) : of(source ?? Buffer.alloc(0))
    const taken = await spool(ctx, chunks, path)
    check(taken)
    return await storeObject(ctx, taken, () => createReadStream(path))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Insert the row first, so that the sweep finds the object even if the upload is never finished. */
async function storeObject(ctx: Context, taken: Omit<Stored, 'key'>, body: () => Readable): Promise<Stored> {
  const stored = { key: randomUUID(), ...taken }
  await transact(asPreparation(ctx), (ctx) => insertObject(ctx.db, { ...stored, created_at: ctx.now() }))
  const { bytes, sha256 } = taken
  await ctx.store.create(objectKey(stored.key), body(), { bytes, sha256, signal: ctx.signal })
  return stored
}

/** Concatenates objects. Their bytes are read twice: to hash and to store them. */
export async function joinObjects(ctx: Context, parts: readonly Stored[], check: Check): Promise<Stored> {
  const hasher = new Hasher()
  for await (const chunk of readObjects(ctx, parts)) hasher.update(chunk)
  const taken = hasher.digest()
  check(taken)
  return storeObject(ctx, taken, () => Readable.from(readObjects(ctx, parts), { objectMode: false }))
}

/**
 * Calls `use` with a stored object, which is discarded if `use` fails. If the outcome is unknown, the row decides: an
 * object that became a blob has no row in `package_object`.
 */
export async function withStored<T>(
  ctx: Context,
  stored: Stored,
  use: (stored: Compared) => Promise<T>,
): Promise<T> {
  try {
    return await whileCompared(ctx, stored, use)
  } catch (error) {
    await giveUp(ctx, [stored.key])
    throw error
  }
}

/** Checks the store before the transaction, never within one. A row may exist whose object is gone. */
export async function whileCompared<T>(
  ctx: Context,
  stored: Stored,
  use: (stored: Compared) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const blob = await findBlob(ctx.db, stored.sha256)
    const equal = blob && { key: blob.key, hasBytes: await hasBytes(ctx, blob) }
    try {
      return await use({ ...stored, equal })
    } catch (error) {
      if (tries === COMPARED_MAX || !(error instanceof NotCompared)) throw error
    }
  }
}

export async function hasBytes(
  { store }: Context,
  { key, bytes }: Pick<BlobRow, 'key' | 'bytes'>,
): Promise<boolean> {
  return (await store.stat(objectKey(key)))?.bytes === bytes
}

/** Works even if the caller has lost access meanwhile. */
export async function giveUp({ reopen: _, ...ctx }: Context, keys: readonly string[]): Promise<void> {
  await transact(asPreparation(ctx), async (ctx) => {
    const gone = await deleteObjects(ctx.db, keys)
    await discardObjects(ctx, gone.map(objectKey))
  })
}

/** Reads at most `bytesMax` bytes into memory. */
export async function readWhole(source: Readable | null, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  if (source === null) return Buffer.alloc(0)
  for await (const chunk of readChunks(source)) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new Problem('too_large', 'request is too large', { bytesMax })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function spool(
  ctx: Context,
  chunks: AsyncIterable<Buffer>,
  path: string,
): Promise<Omit<Stored, 'key'>> {
  const bytesMax = ctx.config['packages.file_bytes_max']
  const hasher = new Hasher()
  await using file = await open(path, 'wx', 0o600)
  for await (const chunk of chunks) {
    hasher.update(chunk)
    if (hasher.bytes > bytesMax) throw new Problem('too_large', 'package file is too large', { bytesMax })
    await file.writeFile(chunk)
  }
  return hasher.digest()
}

/** The source is not destroyed when the limit is exceeded, so that the client receives the error. */
async function* readChunks(source: Readable): AsyncGenerator<Buffer> {
  try {
    yield* source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('malformed', 'request cannot be read')
  }
}

async function* of(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function* readObjects(ctx: Context, parts: readonly Stored[]): AsyncGenerator<Buffer> {
  for (const { key } of parts) {
    const findOwner = () => findUploadOf(ctx.db, key)
    const { body } = await readNamed(ctx, objectKey(key), findOwner, { signal: ctx.signal })
    yield* body as AsyncIterable<Buffer>
  }
}

class Hasher {
  bytes = 0
  private readonly hashes = {
    md5: createHash('md5'),
    sha1: createHash('sha1'),
    sha256: createHash('sha256'),
    sha512: createHash('sha512'),
  }

  update(chunk: Buffer): void {
    this.bytes += chunk.length
    for (const hash of Object.values(this.hashes)) hash.update(chunk)
  }

  digest(): Omit<Stored, 'key'> {
    const { md5, sha1, sha256, sha512 } = this.hashes
    return {
      bytes: this.bytes,
      md5: md5.digest('hex'),
      sha1: sha1.digest('hex'),
      sha256: sha256.digest('hex'),
      sha512: sha512.digest('hex'),
    }
  }
}
