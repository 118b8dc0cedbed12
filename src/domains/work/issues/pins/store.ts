/** SQL on pinned issues. Reads take any handle; writes take a transaction that holds `lockPins`. */
import type { Db, Tx } from '#platform/db'
import { Statement } from '#platform/db/statement'
import type { IssueRow } from '../tables.ts'

/** Of issues or of pull requests, in pin order. */
export function listPinned(db: Db, repositoryId: number, isPull: boolean): Promise<IssueRow[]> {
  return PINNED.rows(db, { repositoryId, isPull })
}

const PINNED = new Statement((db: Db, { repositoryId, isPull }: { repositoryId: number; isPull: boolean }) =>
  db
    .selectFrom('issue')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('is_pull', '=', isPull)
    .where('pin_position', 'is not', null)
    .orderBy('pin_position'),
)

/** Moves the pins behind it up. */
export async function closeGap(tx: Tx, issue: IssueRow): Promise<void> {
  if (issue.pin_position === null) return
  await tx
    .updateTable('issue')
    .set((eb) => ({ pin_position: eb('pin_position', '-', 1) }))
    .where('repository_id', '=', issue.repository_id)
    .where('is_pull', '=', issue.is_pull)
    .where('pin_position', '>', issue.pin_position)
    .execute()
}

export async function setPosition(tx: Tx, id: number, position: number): Promise<void> {
  await tx.updateTable('issue').set({ pin_position: position }).where('id', '=', id).execute()
}

/** Locks the order of pins with the `issue_number` row, which also blocks new numbers meanwhile. */
export async function lockPins(tx: Tx, repositoryId: number): Promise<void> {
  await tx
    .selectFrom('issue_number')
    .select('last')
    .where('repository_id', '=', repositoryId)
    .forNoKeyUpdate()
    .execute()
}
