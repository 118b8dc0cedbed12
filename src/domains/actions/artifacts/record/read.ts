/** Reads artifacts part by part; no more than a chunk is held in memory. */
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { zip } from '#domains/actions/runs'
import type { Context } from '#platform/context'
import { readNamed } from '#platform/lost-object'
import type { ArtifactRow, PartRow } from '../tables.ts'
import { findPartOwner, listParts } from './store.ts'

export function readParts(ctx: Context, parts: readonly PartRow[]): Readable {
  return Readable.from(join(ctx, parts), { objectMode: false })
}

async function* join(ctx: Context, parts: readonly PartRow[]): AsyncGenerator<Buffer> {
  for (const { object_key } of parts) {
    const findOwner = () => findPartOwner(ctx.db, object_key)
    yield* (await readNamed(ctx, object_key, findOwner, { signal: ctx.signal })).body
  }
}

export interface Archive {
  readonly body: Readable
  /** Undefined for an archive that is zipped while it is read. */
  readonly bytes: number | undefined
}

/** v4 artifacts are stored as an archive; the files of v3 artifacts are zipped here. */
export async function openArchive(ctx: Context, artifact: ArtifactRow): Promise<Archive> {
  const parts = await listParts(ctx.db, artifact.id)
  if (artifact.protocol === 'v4') return { body: readParts(ctx, parts), bytes: artifact.bytes }
  const entries = [...Map.groupBy(parts, ({ path }) => path)].map(([name, some]) => ({
    name,
    open: async () => plainly(readParts(ctx, some), some),
  }))
  return { body: Readable.from(zip(entries), { objectMode: false }), bytes: undefined }
}

function plainly(body: Readable, [first]: readonly PartRow[]): Readable {
  if (!first?.is_gzipped) return body
  const plain = createGunzip()
  body.on('error', (error) => plain.destroy(error))
  plain.on('close', () => body.destroy())
  return body.pipe(plain)
}
