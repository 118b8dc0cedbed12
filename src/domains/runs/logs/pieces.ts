/** Pieces of logs: where they lie, and which a log consists of. */
import { randomUUID } from 'node:crypto'
import type { Db } from '#platform/db'
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
