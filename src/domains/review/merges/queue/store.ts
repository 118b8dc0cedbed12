/** SQL on the merge queue. Reads take any handle; writes take a transaction. */
import { sql } from 'kysely'
import { type Db, type Paged, type PageRange, type Tx, takePage } from '#platform/db'
import type { EntryRow, NewEntryRow } from './tables.ts'

/** The queue of one branch of one repository. */
export interface Queue {
  readonly repository_id: number
  readonly base_branch: string
}

export type Queued = EntryRow & { readonly number: number }

/** undefined if the pull request is queued already. */
export function insertEntry(tx: Tx, row: NewEntryRow): Promise<EntryRow | undefined> {
  return tx
    .insertInto('merge_queue_entry')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findEntry(db: Db, issueId: number): Promise<EntryRow | undefined> {
  return db.selectFrom('merge_queue_entry').selectAll().where('issue_id', '=', issueId).executeTakeFirst()
}

/** The first entries, in queue order. */
export function listQueued(db: Db, queue: Queue, limit: number): Promise<Queued[]> {
  return db
    .selectFrom('merge_queue_entry as entry')
    .innerJoin('pull_request as pull', 'pull.issue_id', 'entry.issue_id')
    .selectAll('entry')
    .select('pull.number')
    .where('entry.repository_id', '=', queue.repository_id)
    .where('pull.base_branch', '=', queue.base_branch)
    .orderBy('entry.id')
    .limit(limit)
    .execute()
}

/** Invariant: callers lock the issues first. */
export function lockEntries(tx: Tx, issueIds: readonly number[]): Promise<EntryRow[]> {
  return tx
    .selectFrom('merge_queue_entry')
    .selectAll()
    .where('issue_id', '=', sql<number>`any(${issueIds}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export type Trial = Pick<EntryRow, 'parent_oid' | 'tested_oid' | 'tested_tree' | 'fault' | 'tested_at'>

/** False if the entry was removed; one that was queued again has another id. */
export async function updateTrial(tx: Tx, id: number, trial: Trial): Promise<boolean> {
  const updated = await tx.updateTable('merge_queue_entry').set(trial).where('id', '=', id).executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

export async function deleteEntries(tx: Tx, issueIds: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('merge_queue_entry')
    .where('issue_id', '=', sql<number>`any(${issueIds}::bigint[])`)
    .execute()
}

/** `id`: deletes only this entry, not one that was queued again since. */
export function deleteEntry(tx: Tx, issueId: number, id?: number): Promise<EntryRow | undefined> {
  return tx
    .deleteFrom('merge_queue_entry')
    .where('issue_id', '=', issueId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? 0))
    .returningAll()
    .executeTakeFirst()
}

/** Which of these pull request numbers are queued. */
export async function findQueuedNumbers(
  db: Db,
  repositoryId: number,
  numbers: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('merge_queue_entry as entry')
    .innerJoin('pull_request as pull', 'pull.issue_id', 'entry.issue_id')
    .select('pull.number')
    .where('pull.repository_id', '=', repositoryId)
    .where('pull.number', '=', sql<number>`any(${numbers}::bigint[])`)
    .execute()
  return new Set(rows.map(({ number }) => number))
}

/** The queues in which a commit is being tested. */
export function listQueuesTesting(db: Db, repositoryId: number, oid: string): Promise<Queue[]> {
  return selectQueues(db)
    .where('entry.repository_id', '=', repositoryId)
    .where('entry.tested_oid', '=', oid)
    .execute()
}

export function listQueuesOf(db: Db, repositoryId: number, branches: readonly string[]): Promise<Queue[]> {
  return selectQueues(db)
    .where('entry.repository_id', '=', repositoryId)
    .where('pull.base_branch', '=', sql<string>`any(${branches}::text[])`)
    .execute()
}

/** Ordered by how long their first entry has waited, longest first. */
export function listQueues(db: Db, limit: number): Promise<Queue[]> {
  return selectQueues(db)
    .groupBy(['entry.repository_id', 'pull.base_branch'])
    .orderBy((eb) => eb.fn.min('entry.id'))
    .limit(limit)
    .execute()
}

function selectQueues(db: Db) {
  return db
    .selectFrom('merge_queue_entry as entry')
    .innerJoin('pull_request as pull', 'pull.issue_id', 'entry.issue_id')
    .select(['entry.repository_id', 'pull.base_branch'])
    .groupBy(['entry.repository_id', 'pull.base_branch'])
}

export type ShownEntry = EntryRow & {
  readonly number: number
  readonly base_branch: string
  readonly issue_title: string
  readonly position: number
}

/** Without `branch` or `number`: all. */
export function listShown(
  db: Db,
  of: { readonly repositoryId: number; readonly branch?: string; readonly number?: number },
  page: PageRange,
): Promise<Paged<ShownEntry>> {
  const { branch, number } = of
  const shown = db
    .selectFrom('merge_queue_entry as entry')
    .innerJoin('pull_request as pull', 'pull.issue_id', 'entry.issue_id')
    .innerJoin('issue', 'issue.id', 'entry.issue_id')
    .selectAll('entry')
    .select(['pull.number', 'pull.base_branch', 'issue.title as issue_title'])
    .select(sql<number>`row_number() over (partition by pull.base_branch order by entry.id)`.as('position'))
    .where('entry.repository_id', '=', of.repositoryId)
    .$if(branch !== undefined, (query) => query.where('pull.base_branch', '=', branch ?? ''))
  const rows = db
    .selectFrom(shown.as('shown'))
    .selectAll()
    .$if(number !== undefined, (query) => query.where('number', '=', number ?? 0))
    .orderBy('base_branch')
    .orderBy('id')
  return takePage(rows, page)
}
