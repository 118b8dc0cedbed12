/** Pieces of logs: their object keys, and the pieces of a log. */
import { randomUUID } from 'node:crypto'
import { findFullName } from '#domains/code/repositories'
import type { Db, Tx } from '#platform/db'
import type { LogPieceRow } from '../record/tables.ts'

/** Unique. Prefixed with the last two digits of the task id, to spread keys over the object store. */
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

/** Assigns a stored piece to a log. False if it was swept meanwhile, together with its object. */
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

/** What a piece belongs to, for messages to operators; undefined if the pieces were joined or deleted. */
export async function findPieceOwner(db: Db, key: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('action_log_piece')
    .innerJoin('action_task', 'action_task.id', 'action_log_piece.task_id')
    .innerJoin('action_job', 'action_job.id', 'action_task.job_id')
    .select(['action_job.id', 'action_job.repository_id'])
    .where('object_key', '=', key)
    .executeTakeFirst()
  return found && `log of job ${found.id} of ${await findFullName(db, found.repository_id)}`
}
