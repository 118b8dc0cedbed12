/** Lists records, newest first, from one record on to older ones. */
import { sql } from 'kysely'
import type { Db } from '#platform/db'
import type { AuditRecord, Outcome } from '../tables.ts'

export interface RecordFilter {
  readonly operation?: string | undefined
  readonly outcome?: Outcome | undefined
  readonly account_id?: number | undefined
  readonly repository_id?: number | undefined
  readonly owner_id?: number | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** The last record of the page before. */
  readonly before_id?: number | undefined
}

export function selectRecords(db: Db, filter: RecordFilter, limit: number) {
  let records = db.selectFrom('audit_record').selectAll()
  for (const name of ['operation', 'outcome', 'account_id', 'repository_id', 'owner_id'] as const) {
    const value = filter[name]
    if (value !== undefined) records = records.where(name, '=', value)
  }
  // The partial index on outcomes has all others.
  if (filter.outcome !== undefined && filter.outcome !== 'done')
    records = records.where('outcome', '<>', 'done')
  if (filter.since !== undefined) records = records.where('at', '>=', filter.since)
  if (filter.until !== undefined) records = records.where('at', '<', filter.until)
  if (filter.before_id !== undefined)
    records = records.where(
      sql<boolean>`(at, id) < (select last.at, last.id from audit_record as last where last.id = ${filter.before_id})`,
    )
  return records.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).$castTo<AuditRecord>()
}

export function listRecords(db: Db, filter: RecordFilter, limit: number): Promise<AuditRecord[]> {
  return selectRecords(db, filter, limit).execute()
}
