/** Reading the log of a task, also while it is written. */
import { Readable } from 'node:stream'
import type { Context } from '#platform/context'
import type { Db } from '#platform/db'
import { Problem } from '#platform/problem'
import type { LogPieceRow } from '../record/tables.ts'

/** Pieces are joined once, so whoever is overtaken by that looks again once. */
const TRIES_MAX = 3

/** Lines that begin with their time, in order, as far as they are stored. */
export async function openLog(ctx: Context, taskId: number): Promise<Readable> {
  return Readable.from(readFrom(ctx, taskId), { objectMode: false })
}

export function listPieces(db: Db, taskId: number): Promise<LogPieceRow[]> {
  return db
    .selectFrom('action_log_piece')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('first_line')
    .execute()
}

/** What is read is counted in bytes: they are the same ones after the pieces were joined. */
export async function* readFrom(ctx: Context, taskId: number): AsyncGenerator<Buffer> {
  let done = 0
  for (let tries = 1; ; tries++) {
    try {
      let start = 0
      for (const piece of await listPieces(ctx.db, taskId)) {
        const end = start + piece.bytes
        if (end > done) {
          const range = { start: done - start, end: piece.bytes - 1 }
          const { body } = await ctx.store.read(piece.object_key, { range, signal: ctx.signal })
          for await (const chunk of body as AsyncIterable<Buffer>) {
            done += chunk.length
            yield chunk
          }
        }
        start = end
      }
      return
    } catch (error) {
      const isGone = error instanceof Problem && error.kind === 'not_found'
      if (!isGone || tries === TRIES_MAX) throw error
    }
  }
}
