/** Pieces of logs: where they lie, and which a log consists of. */
import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '#platform/db'
import type { LogPieceRow } from '../record/tables.ts'

/** Never used twice. The last digits first, so that what is written together does not lie together. */
export function keyOf(taskId: number): string {
  return `action-logs/${String(taskId % 100).padStart(2, '0')}/${taskId}/${randomUUID()}`
}

export function listPieces(db: Db, taskId: number): Promise<LogPieceRow[]> {
  return db
    .selectFrom('action_log_piece')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('first_line')
    .execute()
}

/** An announced piece becomes part of a log. False when it was swept meanwhile: then its bytes go as well. */
export async function namePiece(
  tx: Tx,
  key: string,
  facts: Pick<LogPieceRow, 'task_id' | 'first_line' | 'lines' | 'bytes'>,
): Promise<boolean> {
  const named = await tx
    .updateTable('action_log_piece')
    .set(facts)
    .where('object_key', '=', key)
    .where('task_id', 'is', null)
    .returning('object_key')
    .executeTakeFirst()
  return named !== undefined
}
