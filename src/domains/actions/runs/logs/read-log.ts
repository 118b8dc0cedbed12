/** Reads the log of a task, also while it is written. */
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import { readNamed } from '#platform/lost-object'
import { Problem } from '#platform/problem'
import { findPieceOwner, listPieces } from './pieces.ts'

/** Pieces are joined once, so a reader whose pieces disappear retries once. */
const TRIES_MAX = 3

/** Timestamped lines, in order, as far as they are stored. */
export async function openLog(ctx: Context, taskId: number): Promise<Readable> {
  return Readable.from(readFrom(ctx, taskId), { objectMode: false })
}

/** Positions are counted in bytes, which stay the same after the pieces are joined. */
export async function* readFrom(ctx: Context, taskId: number, skipped = 0): AsyncGenerator<Buffer> {
  let done = skipped
  for (let tries = 1; ; tries++) {
    try {
      for await (const chunk of readAfter(ctx, taskId, done)) {
        done += chunk.length
        yield chunk
      }
      return
    } catch (error) {
      const isGone = error instanceof Problem && error.kind === 'not_found'
      if (!isGone || tries === TRIES_MAX) throw error
    }
  }
}

async function* readAfter(ctx: Context, taskId: number, skipped: number): AsyncGenerator<Buffer> {
  let start = 0
  for (const { object_key, bytes } of await listPieces(ctx.db, taskId)) {
    if (start + bytes > skipped) {
      const range = { start: Math.max(0, skipped - start), end: bytes - 1 }
      const findOwner = () => findPieceOwner(ctx.db, object_key)
      const { body } = await readNamed(ctx, object_key, findOwner, { range, signal: ctx.signal })
      yield* body as AsyncIterable<Buffer>
    }
    start += bytes
  }
}
